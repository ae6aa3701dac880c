import { readFile } from 'node:fs/promises';
import { Marked, type Tokens } from 'marked';

/** A document of the repository as callers read it. */
export interface Guide {
  title: string;
  /** The first sentence of the guide. */
  summary: string;
  markdown: string;
  /** The body of a page. */
  html: string;
}

/** The documents for callers, by their names in the addresses, in the order of the list. */
const DOCUMENTS = {
  'using-the-api': 'docs/using-the-api.md',
  specification: 'SPEC.md',
  client: 'client/README.md',
  'change-feed': 'docs/change-feed.md',
  webhooks: 'docs/webhooks.md',
  recording: 'docs/recording.md',
  warehouse: 'docs/warehouse.md',
  reconciling: 'docs/reconciling.md',
  'closing-a-month': 'docs/closing-a-month.md',
  auditing: 'docs/auditing.md',
  'looking-at-transactions': 'docs/looking-at-transactions.md',
  assistants: 'docs/assistants.md',
} as const;

const ROOT = new URL('../../../', import.meta.url);
const FILE_URL = new URL('file:///');

/** The guides by name, as JSON. */
export async function buildGuides(): Promise<string> {
  const guides = await Promise.all(
    Object.entries(DOCUMENTS).map(async ([name, path]) => {
      const text = await readFile(new URL(path, ROOT), 'utf8');
      return [name, guideOf(path, text)] as const;
    }),
  );
  return JSON.stringify(Object.fromEntries(guides));
}

function guideOf(path: string, text: string): Guide {
  const markdown = withServedLinks(path, text);
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? [];
  const [, summary = ''] = /^# .+\n\n((?:.+\n)+)/m.exec(markdown) ?? [];
  const [sentence = ''] = plain(summary).split(/(?<=\.) /);
  return { title, summary: sentence, markdown, html: htmlOf(markdown) };
}

const IMAGE_OR_LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Links lead to what the service serves. The text of any other link stays, and images go: the page itself shows what they show. */
function withServedLinks(path: string, text: string): string {
  return text
    .replaceAll(IMAGE_OR_LINK, (whole, bang: string, label: string, target: string) => {
      if (bang !== '') return '';
      if (/^(?:https?:|#|\/)/.test(target)) return whole;
      const served = servedAddress(path, target);
      return served === undefined ? label : `[${label}](${served})`;
    })
    .replaceAll(/\n{3,}/g, '\n\n');
}

function servedAddress(path: string, target: string): string | undefined {
  const { pathname, hash } = new URL(target, new URL(path, FILE_URL));
  const file = pathname.slice(1);
  if (file === 'openapi.json') return '/openapi.json';
  const [name] = Object.entries(DOCUMENTS).find(([, document]) => document === file) ?? [];
  return name === undefined ? undefined : `/guides/${name}${hash}`;
}

/** The text that a reader sees, without marks and links. */
export const plain = (markdown: string) =>
  markdown.replaceAll(IMAGE_OR_LINK, '$2').replaceAll(/[`*]/g, '').replaceAll('\n', ' ').trim();

/** As GitHub makes the anchors of headings. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

function htmlOf(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(plain(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(table: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], name: string) =>
          `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`;
        const body = table.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide"><table>\n<thead>${row(table.header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}
