import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { withoutPart } from '../../src/http/documents/guide-reader.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { codeBlock, formsHtml, headingHtml, tableHtml } from './document-page.ts';
import { readersAt } from './guide-documents.ts';
import { bothForms, packageForms, withPackageForms } from './package-forms.ts';

/** The first section has the guide's title and no anchor. */
interface GuideSection {
  level: number;
  heading: string;
  anchor: string;
  text: string;
}

export interface Guide {
  name: string;
  title: string;
  /** The first sentence of the guide, without words such as "For operators:" before it. */
  summary: string;
  markdown: string;
  html: string;
  sections: GuideSection[];
}

export interface Guides {
  readers: { title: string; guides: Guide[] }[];
  /** The contents in base64, by address. */
  files: Record<string, string>;
}

const ROOT = new URL('../../', import.meta.url);
const FILE_URL = new URL('file:///');

export function readGuides(listener: Listener): Guides {
  const files: Guides['files'] = {};
  const links = { addressOf: addressesAt(listener), files };
  const readers = readersAt(listener).map(({ title, documents, listener: own }) => ({
    title,
    guides: Object.entries(documents).map(([name, path]) => guideOf(name, path, own, links)),
  }));
  return { readers, files };
}

interface Links {
  addressOf: (file: string) => string | undefined;
  files: Guides['files'];
}

function addressesAt(listener: Listener): Links['addressOf'] {
  const guides = readersAt(listener).flatMap(({ documents }) =>
    Object.entries(documents).map(([name, path]) => [path, `/guides/${name}`] as const),
  );
  const document = listener === 'public' ? 'openapi.json' : 'openapi-operator.json';
  const addresses = new Map([...guides, [document, '/openapi.json']]);
  return (file) => {
    const known = addresses.get(file);
    if (known !== undefined) return known;
    const [, name] = /^(?:docs\/images|release\/ops)\/([\w.-]+)$|^compose\.yaml$/.exec(file) ?? [];
    if (!existsSync(new URL(file, ROOT))) return undefined;
    if (name !== undefined) return `/guides/files/${name}`;
    return file === 'compose.yaml' ? `/guides/files/${file}` : undefined;
  };
}

function guideOf(name: string, path: string, readers: Listener, links: Links): Guide {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const markdown = withServedLinks(path, text, links);
  const isForOperators = readers === 'operator';
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? [];
  // The summary and the sections are also shown by an installed package, which has no Git clone.
  const shared = withoutPart(markdown, 'clone');
  const [, summary = ''] = /^# .+\n\n((?:.+\n)+)/m.exec(shared) ?? [];
  // Removes "For operators:", because the heading above the summaries says the same.
  const [sentence = ''] = plain(summary)
    .replace(/^For [^:.]+: ./, (beginning) => (beginning.at(-1) as string).toUpperCase())
    .split(/(?<=\.) /);
  return {
    name,
    title: plain(title),
    summary: sentence,
    markdown: isForOperators ? withPackageForms(markdown) : markdown,
    html: htmlOf(markdown, isForOperators),
    sections: sectionsOf(shared),
  };
}

const IMAGE_OR_LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

function withServedLinks(path: string, text: string, { addressOf, files }: Links): string {
  return text.replaceAll(IMAGE_OR_LINK, (whole, bang: string, label: string, target: string) => {
    if (/^(?:https?:|#|\/)/.test(target)) return whole;
    const { pathname, hash } = new URL(target, new URL(path, FILE_URL));
    const file = pathname.slice(1);
    const address = addressOf(file);
    if (address === undefined) return bang === '' ? label : '';
    if (address.startsWith('/guides/files/'))
      files[address] = readFileSync(new URL(file, ROOT)).toString('base64');
    return `${bang}[${label}](${address}${hash})`;
  });
}

export const plain = (markdown: string) =>
  markdown
    .replaceAll(IMAGE_OR_LINK, '$2')
    .replaceAll(/<[^>]+>|[`*]/g, '')
    .replaceAll('\n', ' ')
    .trim();

/** The anchors are the same as on GitHub, so links work in both places. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

function sectionsOf(markdown: string): GuideSection[] {
  const sections: GuideSection[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = plain(token['text']);
      const anchor = token['depth'] === 1 ? '' : anchorOf(heading);
      sections.push({ level: token['depth'], heading, anchor, text: '' });
    } else {
      const section = sections.at(-1);
      if (section !== undefined) section.text += ` ${textOf(token)}`;
    }
  }
  return sections;
}

/** Search results show this text, so table lines, fences and list markers are removed. */
const textOf = ({ type, raw, text }: Tokens.Generic): string =>
  plain(
    (type === 'code' ? String(text) : raw)
      .replaceAll(/^ *\|[\s|:-]+\|$|^ *(?:[-*]|\d+\.) |^\| | \|$/gm, '')
      .replaceAll(' | ', '; '),
  )
    .replaceAll(/\s+/g, ' ')
    .trim();

const FORM = /\*([^*\n]+):\*\n\n```\w*\n([\s\S]*?)\n```\n+/;
const FORMS = new RegExp(`^(?:${FORM.source}){2,}`);

const formsExtension: TokenizerAndRendererExtension = {
  name: 'forms',
  level: 'block',
  start: (text) => FORM.exec(text)?.index,
  tokenizer(text) {
    const [raw] = FORMS.exec(text) ?? [];
    if (raw === undefined) return undefined;
    const forms = [...raw.matchAll(new RegExp(FORM, 'g'))];
    return { type: 'forms', raw, forms: forms.map(([, label = '', code = '']) => ({ label, text: code })) };
  },
  renderer: (token) => formsHtml(token['forms']),
};

const IMAGE_TYPES: readonly string[] = ['.png', '.svg'];

function htmlOf(markdown: string, isForOperators: boolean): string {
  const marked = new Marked({
    extensions: [formsExtension],
    tokenizer: {
      // Without this, a paragraph that begins with an HTML comment would become raw HTML.
      html: (text) => (text.startsWith('<!-- ') ? undefined : false),
    },
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return headingHtml(depth, anchorOf(plain(text)), this.parser.parseInline(tokens));
      },
      image({ href, text }: Tokens.Image) {
        if (!IMAGE_TYPES.includes(extname(href)))
          throw new Error(`${href} is not an image that guides can have`);
        return `<img src="${href}" alt="${text.replaceAll('"', '&quot;')}" loading="lazy">`;
      },
      code({ text, lang }: Tokens.Code) {
        const forms = isForOperators && lang === 'sh' ? packageForms(text) : undefined;
        return forms === undefined ? codeBlock(text) : bothForms(codeBlock(text), formsHtml(forms));
      },
      table(table: Tokens.Table) {
        const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => this.parser.parseInline(tokens));
        const rows = table.rows.map(cells);
        // Each reason for a 503 has a page, which links to a row of this table. So each row needs an id.
        const isOfReasons = table.header[0]?.text === 'reason';
        const linked = isOfReasons
          ? rows.map((row) => row.with(0, String(row[0]).replace(/<code>(\w+)/, '<code id="$1">$1')))
          : rows;
        return tableHtml(cells(table.header), linked);
      },
    },
  });
  return marked.parse(markdown, { async: false });
}
