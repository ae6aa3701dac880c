import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import { lazy } from '../../../values/lazy.ts';
import { Problem } from '../../../values/problem.ts';
import type { Statuses, StatusNames } from '../../../values/status.ts';
import type { BuiltFile, ReadBuiltFile } from './built-files.ts';
import { SCRIPTS_VERSION } from './scripts-version.ts';
import { builtFileRoute, type PackedFile, packFile, sendFile, versionOf } from './send-file.ts';

const contentSecurityPolicy = (embedOrigins: readonly string[]) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')}; require-trusted-types-for 'script'; trusted-types 'none'`;

const FILES_PREFIX = '/page/';
const PAGE = 'page.js';
/** The page loads the first two files when it opens, and the others when a screen or language needs them. */
const BUILT_FILES = [
  PAGE,
  'page.css',
  'export.js',
  'export.css',
  'reconcile.js',
  'reconcile.css',
  'review.js',
  'review.css',
  'search.js',
  'search.css',
  'webhooks.js',
  'image.js',
  'webhooks.css',
  'de.js',
  'de-later.js',
  'fr.js',
  'fr-later.js',
] as const;
const WEB = new URL('../../../web/', import.meta.url);

interface Page {
  version: string;
  html: PackedFile;
  files: ReadonlyMap<string, PackedFile>;
}

interface PageDependencies {
  statuses: StatusNames;
  declaredStatuses: Statuses;
  sessionReturnUrl: string | null;
  embedOrigins: readonly string[];
  readBuiltFile: ReadBuiltFile;
}

function pageRoutes(app: FastifyInstance, dependencies: PageDependencies): void {
  const read = lazy(() => readPage(dependencies));
  const policy = contentSecurityPolicy(dependencies.embedOrigins);
  // Requests have no time limit: the first one reads all files, and this takes long on a busy machine.
  const pageOf = (reply: FastifyReply) => {
    reply.liftTimeLimit();
    return read();
  };

  app.get('/', {
    schema: { hide: true },
    handler: async (request, reply) => {
      const { version, html } = await pageOf(reply);
      reply.headers({
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      });
      return sendFile(request, reply, html, version);
    },
  });

  app.get<{ Params: { '*': string } }>(`${FILES_PREFIX}*`, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const { version, files } = await pageOf(reply);
      const [requested = '', name = '', ...rest] = request.params['*'].split('/');
      const file = rest.length === 0 ? files.get(name) : undefined;
      if (file === undefined)
        throw new Problem('not_found', 'The page has no such file. Reload the page at /.');
      // During an update, an instance of another version can answer. Its file must not be cached.
      const isCached = requested === version;
      reply.header('cache-control', isCached ? 'public, max-age=31536000, immutable' : 'no-store');
      return sendFile(request, reply, file);
    },
  });
}

async function readPage({
  statuses,
  declaredStatuses,
  sessionReturnUrl,
  readBuiltFile,
}: PageDependencies): Promise<Page> {
  const readText = (name: string) => readFile(new URL(name, WEB), 'utf8');
  const [template, icon, ...built] = await Promise.all([
    readText('index.html'),
    readText('icon.svg'),
    ...BUILT_FILES.map((name) => readBuiltFile(name)),
  ]);
  const named = [...statuses.keys()].map((name) => `${name}:${declaredStatuses.get(name) ?? ''}`);
  // `href` percent-encodes double quotes, which would end the attribute. Only a host can contain one.
  const returnUrl = sessionReturnUrl === null ? '' : new URL(sessionReturnUrl).href.replaceAll('&', '&amp;');
  const shown = template
    .replace('{statuses}', named.join(' '))
    .replace('{sessionReturnUrl}', () => returnUrl);
  const version = versionOf(shown, icon, ...built);
  const scripts = versionOf(...built.filter((_, index) => isScript(BUILT_FILES[index] as string)));
  const [html, ...others] = await Promise.all([
    packFile('text/html; charset=utf-8', shown.replaceAll('{files}', `${FILES_PREFIX}${version}`)),
    packFile('image/svg+xml', icon),
    ...BUILT_FILES.map((name, index) => {
      const content = built[index] as Buffer;
      return packFile(
        typeOf(name),
        name === PAGE ? String(content).replaceAll(SCRIPTS_VERSION, scripts) : content,
      );
    }),
  ]);
  const names = ['icon.svg', ...BUILT_FILES.map((name) => servedName(name, scripts))];
  return { version, html, files: new Map(others.map((file, index) => [names[index] as string, file])) };
}

const isScript = (name: string) => name.endsWith('.js');

/** The version in a script's name keeps the page from loading a script of another build. */
const servedName = (name: string, scriptsVersion: string) =>
  isScript(name) && name !== PAGE ? name.replace(/js$/, `${scriptsVersion}.js`) : name;

const typeOf = (name: string) => `text/${isScript(name) ? 'javascript' : 'css'}; charset=utf-8`;

/** If the type begins with `text/`, browsers show the file as text. */
const FILES: Readonly<Record<string, readonly [built: BuiltFile, type: string]>> = {
  'transactions-client.mjs': ['transactions-client.mjs', 'text/javascript; charset=utf-8'],
  'transactions-client.d.mts': ['transactions-client.d.mts', 'text/plain; charset=utf-8'],
  'transactions-platform.mjs': ['transactions-platform.mjs', 'text/javascript; charset=utf-8'],
  'transactions-platform.d.mts': ['transactions-platform.d.mts', 'text/plain; charset=utf-8'],
  // npm remembers the hash of the package at a URL, so each version has its own URL.
  [`transactions-client-${packageJson.version}.tgz`]: ['transactions-client.tgz', 'application/gzip'],
  'transactions.mjs': ['transactions.mjs', 'text/javascript; charset=utf-8'],
};

export function fileRoutes(app: FastifyInstance, dependencies: PageDependencies): void {
  pageRoutes(app, dependencies);
  for (const [name, [built, type]] of Object.entries(FILES))
    builtFileRoute(app, `/client/${name}`, type, () => dependencies.readBuiltFile(built));
}
