import { MARKDOWN } from '../../src/http/documents/document-routes.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { escaped } from '../../src/staff/http/html-page.ts';
import { documentPage, type PageGroup } from './document-page.ts';
import type { Guide, Guides } from './guides.ts';

export interface SearchEntry {
  address: string;
  page: string;
  heading: string;
  text: string;
}

export function guideTexts(listener: Listener, guides: Guides): Record<string, string> {
  const all = guides.readers.flatMap((readers) => readers.guides);
  return Object.fromEntries([
    ['/llms.txt', listText(listener, guides)],
    ['/guides', listPage(listener, guides)],
    ...all.flatMap((guide) => [
      [addressOf(guide), guidePage(listener, guide, guides)],
      [`${addressOf(guide)}${MARKDOWN}`, guide.markdown],
    ]),
  ]);
}

const addressOf = ({ name }: Guide) => `/guides/${name}`;

export const searchEntries = ({ readers }: Guides): SearchEntry[] =>
  readers.flatMap(({ guides }) =>
    guides.flatMap(({ name, title, sections }) =>
      sections.map(({ anchor, heading, text }) => ({
        address: `/guides/${name}${anchor === '' ? '' : `#${anchor}`}`,
        page: title,
        heading,
        text,
      })),
    ),
  );

const pagesOf = ({ readers }: Guides): PageGroup[] =>
  readers.map(({ title, guides }) => ({
    title,
    links: guides.map((guide) => ({ address: `/guides/${guide.name}`, label: guide.title })),
  }));

const guidePage = (listener: Listener, { name, title, html, sections }: Guide, guides: Guides) =>
  documentPage({
    listener,
    address: `/guides/${name}`,
    title,
    body: html,
    pages: pagesOf(guides),
    headings: sections.filter(({ level }) => level === 2),
    forPrograms: { address: `/guides/${name}${MARKDOWN}`, label: 'Markdown' },
  });

const OPERATORS =
  '\n<p>Guides for operators are at <code>/guides</code> of the operator’s interface. The setting <code>OPERATOR_PORT</code> opens it, and <code>transactions demo</code> prints its address.</p>';

function listPage(listener: Listener, guides: Guides): string {
  const groups = guides.readers.map(
    ({ title, guides: ofReaders }) => `<h2>${escaped(title)}</h2>
<dl>
${ofReaders.map(({ name, title, summary }) => `<dt><a href="/guides/${name}">${escaped(title)}</a></dt><dd>${escaped(summary)}</dd>`).join('\n')}
</dl>`,
  );
  return documentPage({
    listener,
    address: '/guides',
    title: 'Guides',
    body: `<h1>Guides</h1>\n${groups.join('\n')}${listener === 'public' ? OPERATORS : ''}`,
    pages: pagesOf(guides),
  });
}

const LISTED: Readonly<Record<Listener, { summary: string; files: string }>> = {
  public: {
    summary: 'The transactions of an account over HTTP, newest first, with an API key.',
    files: `- [Client](/client/transactions-client.mjs): for JavaScript, with [its types](/client/transactions-client.d.mts)
- [Client of a platform](/client/transactions-platform.mjs): records, with [its types](/client/transactions-platform.d.mts)
- [Command line](/client/transactions.mjs): one file for Node 20
`,
  },
  operator: {
    summary:
      'Records and looks up the transactions of all accounts, for the platform that operates the service.',
    files: '',
  },
};

/** Source: llmstxt.org. */
function listText(listener: Listener, { readers }: Guides): string {
  const { summary, files } = LISTED[listener];
  const groups = readers.map(
    ({ title, guides }) =>
      `## ${title}\n\n${guides.map((guide) => `- [${guide.title}](/guides/${guide.name}${MARKDOWN}): ${guide.summary}`).join('\n')}`,
  );
  return `# Transactions

> ${summary}

${groups.join('\n\n')}

## Reference

- [OpenAPI document](/openapi.json): every operation with its parameters and responses
- [Errors](/errors): each error code with its cause, its solution and an example
${files}`;
}
