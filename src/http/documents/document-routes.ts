import { extname } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lazy } from '../../../values/lazy.ts';
import { Problem } from '../../../values/problem.ts';
import type { StatusNames } from '../../../values/status.ts';
import { isPacked, type ReadBuiltFile } from '../files/built-files.ts';
import { builtFileRoute } from '../files/send-file.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import { forReader, type Listening, originOf, publicOriginFor, type ReaderForm } from './guide-reader.ts';

interface DocumentOptions {
  listener: Listener;
  listening: Listening;
  statuses: StatusNames;
  readBuiltFile: ReadBuiltFile;
}

export interface BuiltDocuments {
  /** The hash of the style that all pages share, in the form that a content security policy takes. */
  styleHash: string;
  texts: Readonly<Record<string, string>>;
  /** The files that guides link to, such as images. The keys are addresses, and the values are base64. */
  files: Readonly<Record<string, string>>;
}

/** In the OpenAPI document and the pages at /docs, this placeholder stands for the service's statuses. */
export const STATUSES = '{statuses}';

export const DOCUMENTS_SCRIPT = '/guides/documents.js';
export const SEARCH_INDEX = '/guides/search.json';
export const DOCUMENTS_ICON = '/guides/icon.svg';

export const MARKDOWN = '.md';
const HTML = 'text/html';

const FILE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

const MAX_ORIGINS = 3;

const contentSecurityPolicy = (styleHash: string) =>
  `default-src 'none'; script-src 'self'; style-src '${styleHash}'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

interface Named {
  name?: string;
}

const addressOf = (path: string, { name = '' }: Named) => path.replace(':name', () => name);

export function documentRoutes(app: FastifyInstance, options: DocumentOptions): void {
  const { listener, listening, statuses, readBuiltFile } = options;
  const read = lazy(
    async (): Promise<BuiltDocuments> =>
      JSON.parse((await readBuiltFile(`documents-${listener}.json`)).toString()),
  );
  const stored = new Map<string, Map<string, Buffer>>();

  /** Returns undefined if the text is the same for every reader. */
  function formFor(request: FastifyRequest, address: string): ReaderForm | undefined {
    if (!/^\/(guides|docs)/.test(address)) return undefined;
    const origin = originOf(request, listener === 'public' ? listening.publicUrl : null);
    const publicOrigin = listener === 'public' ? origin : publicOriginFor(origin, listening);
    return { listener, origin, publicOrigin, isPacked };
  }

  function bytesFor(request: FastifyRequest, address: string, text: string): Buffer {
    const form = formFor(request, address);
    // Another process can record a new status, so the statuses are part of the key.
    const key = `${form?.origin ?? ''} ${[...statuses.keys()].join()}`;
    if (!stored.has(key) && stored.size > MAX_ORIGINS) stored.clear();
    const ofKey = stored.get(key) ?? new Map<string, Buffer>();
    stored.set(key, ofKey);
    const bytes =
      ofKey.get(address) ?? Buffer.from(withStatuses(form ? forReader(text, form) : text, statuses));
    ofKey.set(address, bytes);
    return bytes;
  }

  /** Requests have no time limit, because in a clone of the repository, the first one builds the texts. */
  function addTexts(path: string, type: string, absent: (addresses: string[]) => string = String): void {
    app.get<{ Params: Named }>(path, {
      schema: { hide: true },
      handler: async (request, reply) => {
        reply.liftTimeLimit();
        const { texts, styleHash } = await read();
        const address = addressOf(path, request.params);
        const text = Object.hasOwn(texts, address) ? texts[address] : undefined;
        if (text === undefined) throw new Problem('not_found', absent(Object.keys(texts)));
        const ownType = address.endsWith(MARKDOWN) ? 'text/markdown' : type;
        reply.type(`${ownType}; charset=utf-8`);
        if (ownType === HTML) reply.header('content-security-policy', contentSecurityPolicy(styleHash));
        return reply.send(bytesFor(request, address, text));
      },
    });
  }
  addTexts('/openapi.json', 'application/json');
  addTexts('/llms.txt', 'text/plain');
  addTexts(SEARCH_INDEX, 'application/json');
  addTexts('/guides', HTML);
  addTexts('/guides/:name', HTML, (addresses) => {
    const names = addresses.flatMap((address) => /^\/guides\/([\w-]+)$/.exec(address)?.[1] ?? []);
    return `There is no guide at this path. The guides are ${names.join(', ')}.`;
  });
  addTexts('/docs', HTML);
  addTexts('/docs/:name', HTML, () => 'No operation has this name. All operations are at /docs.');
  addTexts('/errors', HTML);
  addTexts('/errors/:name', HTML, () => 'No error has this code. All codes are at /errors.');
  builtFileRoute(app, DOCUMENTS_SCRIPT, 'text/javascript; charset=utf-8', () =>
    readBuiltFile('documents.js'),
  );
  for (const path of [DOCUMENTS_ICON, '/guides/files/:name'])
    app.get<{ Params: Named }>(path, {
      schema: { hide: true },
      handler: async ({ params }, reply) => {
        reply.liftTimeLimit();
        const { files } = await read();
        const address = addressOf(path, params);
        const file = Object.hasOwn(files, address) ? files[address] : undefined;
        if (file === undefined) throw new Problem('not_found', 'No guide has this file.');
        return reply
          .type(FILE_TYPES[extname(address)] ?? 'text/plain; charset=utf-8')
          .send(Buffer.from(file, 'base64'));
      },
    });
}

function withStatuses(text: string, statuses: StatusNames): string {
  const names = [...statuses.keys()];
  const quoted = names.map((name) => `"${name}"`);
  return text
    .replaceAll(`<option>${STATUSES}</option>`, names.map((name) => `<option>${name}</option>`).join(''))
    .replaceAll(`["${STATUSES}"]`, `[${quoted.join(',')}]`)
    .replaceAll(`"${STATUSES}"`, quoted.join(', '));
}
