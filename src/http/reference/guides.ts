import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazy } from '../../../values/lazy.ts';
import type { BuiltGuides, Guide } from '../files/build-guides.ts';
import { isPacked, type ReadBuiltFile } from '../files/built-files.ts';
import { builtFileRoute } from '../files/send-file.ts';
import { Problem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import {
  DOCUMENTS_ICON,
  DOCUMENTS_SCRIPT,
  documentPage,
  type PageGroup,
  SEARCH_INDEX,
  sendDocument,
} from './document-page.ts';
import { forReader, type Listening, originOf, publicOriginFor, type ReaderForm } from './guide-reader.ts';
import { escaped } from './html-page.ts';

interface GuideOptions {
  listener: Listener;
  listening: Listening;
  readBuiltFile: ReadBuiltFile;
}

/** What a search finds, with the address that it leads to. */
interface SearchEntry {
  address: string;
  page: string;
  heading: string;
  text: string;
}

interface Guides extends Pick<BuiltGuides, 'readers'> {
  byName: ReadonlyMap<string, Guide>;
  files: ReadonlyMap<string, Buffer>;
}

const MARKDOWN = '.md';
const ICON = new URL('../../../web/icon.svg', import.meta.url);

const FILE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/** A service has one address or two. A caller that sends other hosts gets pages that are made for it. */
const MAX_ORIGINS = 3;

/** Serves the documents of a listener's readers as pages and as Markdown, and /llms.txt, which lists what a program can read. */
export function guideRoutes(
  app: FastifyInstance,
  { listener, listening, readBuiltFile }: GuideOptions,
  others: () => Promise<readonly SearchEntry[]>,
): void {
  const read = lazy(() => readGuides(listener, readBuiltFile));
  // Read at the first request, so that the start does not pay for it. A clone builds them then, which can take longer
  // than the time limit of a request.
  const guidesOf = (reply: FastifyReply) => {
    reply.liftTimeLimit();
    return read();
  };
  const formOf = (request: FastifyRequest): ReaderForm => {
    const origin = originOf(request, listener === 'public' ? listening.publicUrl : null);
    const publicOrigin = listener === 'public' ? origin : publicOriginFor(origin, listening);
    return { listener, origin, publicOrigin, isPacked };
  };
  const stored = new Map<string, Map<string, Buffer>>();
  /** The bytes of a page for the readers of an address: callers share them, as slow readers hold theirs for a long time. */
  const bytesFor = (request: FastifyRequest, path: string, make: () => string): Buffer => {
    const form = formOf(request);
    if (!stored.has(form.origin) && stored.size >= MAX_ORIGINS) stored.clear();
    const ofOrigin = stored.get(form.origin) ?? new Map<string, Buffer>();
    stored.set(form.origin, ofOrigin);
    const bytes = ofOrigin.get(path) ?? Buffer.from(forReader(make(), form));
    ofOrigin.set(path, bytes);
    return bytes;
  };
  const schema = { hide: true } as const;
  builtFileRoute(app, DOCUMENTS_SCRIPT, 'text/javascript; charset=utf-8', () =>
    readBuiltFile('documents.js'),
  );
  app.get(DOCUMENTS_ICON, {
    schema,
    handler: async (_request, reply) => reply.type('image/svg+xml').send(await readFile(ICON)),
  });

  app.get('/guides', {
    schema,
    handler: async (request, reply) => {
      const guides = await guidesOf(reply);
      return sendDocument(
        reply,
        bytesFor(request, '', () => listPage(listener, guides)),
      );
    },
  });
  app.get<{ Params: { name: string } }>('/guides/:name', {
    schema,
    handler: async (request, reply) => {
      const { name } = request.params;
      const guides = await guidesOf(reply);
      const isMarkdown = name.endsWith(MARKDOWN);
      const guide = guides.byName.get(isMarkdown ? name.slice(0, -MARKDOWN.length) : name);
      if (guide === undefined)
        throw new Problem(
          PROBLEMS.not_found,
          `There is no guide at this path. The guides are ${[...guides.byName.keys()].join(', ')}.`,
        );
      const bytes = bytesFor(request, name, () =>
        isMarkdown ? guide.markdown : guidePage(listener, guide, guides),
      );
      return isMarkdown ? reply.type('text/markdown; charset=utf-8').send(bytes) : sendDocument(reply, bytes);
    },
  });
  app.get<{ Params: { name: string } }>('/guides/files/:name', {
    schema,
    handler: async ({ params: { name } }, reply) => {
      const file = (await guidesOf(reply)).files.get(name);
      if (file === undefined) throw new Problem(PROBLEMS.not_found, 'No guide has this file.');
      return reply.type(FILE_TYPES[extname(name)] ?? 'text/plain; charset=utf-8').send(file);
    },
  });
  app.get(SEARCH_INDEX, {
    schema,
    handler: async (request, reply) => {
      const guides = await guidesOf(reply);
      const entries = [...searchEntries(guides), ...(await others())];
      return reply
        .type('application/json; charset=utf-8')
        .send(bytesFor(request, SEARCH_INDEX, () => JSON.stringify(entries)));
    },
  });
  app.get('/llms.txt', {
    schema,
    handler: async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(listText(listener, await guidesOf(reply))),
  });
}

async function readGuides(listener: Listener, readBuiltFile: ReadBuiltFile): Promise<Guides> {
  const built: BuiltGuides = JSON.parse((await readBuiltFile(`guides-${listener}.json`)).toString());
  const all = built.readers.flatMap(({ guides }) => guides);
  return {
    readers: built.readers,
    byName: new Map(all.map((guide) => [guide.name, guide])),
    files: new Map(
      Object.entries(built.files).map(([address, content]) => [
        address.slice(address.lastIndexOf('/') + 1),
        Buffer.from(content, 'base64'),
      ]),
    ),
  };
}

const searchEntries = ({ readers }: Guides): SearchEntry[] =>
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
    body: `<h1>Guides</h1>\n${groups.join('\n')}`,
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
