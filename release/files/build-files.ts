import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import clientJson from '../../client/package.json' with { type: 'json' };
import { buildDocuments } from '../pages/build-documents.ts';
import { pageScripts } from './build-page.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const run = promisify(execFile);

const CLIENT_HEAD = `/*! transactions-client ${clientJson.version} | MIT License | Copyright (c) 2026 The transactions authors */`;
const COMMAND_HEAD = CLIENT_HEAD.replace('transactions-client', 'transactions');

/** Lines are short, because Node prints the source line that threw an uncaught error. */
const SHORT = { minifyWhitespace: true, minifySyntax: true, lineLimit: 200 } as const;

export const BUILDS = {
  'page.js': async () => (await pageScripts()).page,
  'page.css': () => styles('page'),
  'export.js': async () => (await pageScripts()).export,
  'export.css': () => styles('export/export'),
  'reconcile.js': async () => (await pageScripts()).reconcile,
  'reconcile.css': () => styles('reconcile/reconcile'),
  'review.js': async () => (await pageScripts()).review,
  'review.css': () => styles('review/review'),
  'search.js': async () => (await pageScripts()).search,
  'search.css': () => styles('search/search'),
  'webhooks.js': async () => (await pageScripts()).webhooks,
  'image.js': async () => (await pageScripts()).image,
  'de.js': async () => (await pageScripts()).de,
  'de-later.js': async () => (await pageScripts())['de-later'],
  'fr.js': async () => (await pageScripts()).fr,
  'fr-later.js': async () => (await pageScripts())['fr-later'],
  'webhooks.css': () => styles('webhooks/webhooks'),
  'transactions-client.mjs': () => bundleClient('index'),
  'transactions-client.d.mts': () => typesOfClient('index'),
  'transactions-platform.mjs': () => bundleClient('platform'),
  'transactions-platform.d.mts': () => typesOfClient('platform'),
  'transactions-client.tgz': () => withFolder(packClient),
  'documents.js': () => bundle(root(''), 'web/documents/main.ts', { minify: true }),
  'documents-public.json': async () => buildDocuments('public'),
  'documents-operator.json': async () => buildDocuments('operator'),
  'transactions.mjs': () =>
    bundle(root(''), 'client/commands/main.ts', {
      banner: { js: `#!/usr/bin/env node\n${COMMAND_HEAD}` },
      platform: 'node',
      target: 'node20',
      ...SHORT,
    }),
} as const satisfies Record<string, () => Promise<string | Buffer>>;

export type BuiltFile = keyof typeof BUILDS;

const styles = (path: string) => bundle(root(''), `web/${path}.css`, { minify: true });

async function bundle(folder: string, entry: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: folder,
    preserveSymlinks: true,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
  });
  return (outputFiles as [OutputFile])[0].text;
}

type Entry = 'index' | 'platform';

const SOURCES_OF_CLIENT = 'client/src';

const bundleClient = (entry: Entry) =>
  bundle(root(SOURCES_OF_CLIENT), `${entry}.ts`, { ...SHORT, banner: { js: CLIENT_HEAD } });

const typesOfClient = (entry: Entry) =>
  withFolder(async (folder) => {
    const project = ['--project', root('client/tsconfig.json'), '--noEmit', 'false', '--outDir', folder];
    await run(root('node_modules/.bin/tsc'), [...project, '--declaration', '--emitDeclarationOnly']);
    return bundleTypes(folder, entry);
  });

async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'transactions-client-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const IMPORT = /^import (?:type )?\{[^}]*\} from '(\.[a-z0-9./-]+)\.(?:js|ts)';\n/gm;
const REEXPORT = /^export (type )?\{([^}]*)\} from '(\.[a-z0-9./-]+)\.(?:js|ts)';\n/gm;
const WHOLE = /^export \* from '(\.[a-z0-9./-]+)\.(?:js|ts)';\n/gm;
const EXPORT = /^export ((?:declare )?(?:abstract )?(?:const|function|class|interface|type) )/gm;

/** esbuild cannot bundle types. */
async function bundleTypes(folder: string, entry: Entry): Promise<string> {
  const read = (module: string) => readFile(join(folder, `${module}.d.ts`), 'utf8');
  const seen = new Set<string>();
  const texts: string[] = [];
  const add = async (module: string) => {
    if (seen.has(module)) return;
    seen.add(module);
    const text = await read(module);
    for (const [, imported = ''] of text.matchAll(IMPORT)) await add(join(dirname(module), imported));
    texts.push(withoutExports(module, text));
  };
  const exported: string[] = [];
  const addExports = async (entryModule: string) => {
    const text = await read(entryModule);
    for (const [, module = ''] of text.matchAll(WHOLE)) await addExports(join(dirname(entryModule), module));
    for (const [, type = '', list = '', module = ''] of text.matchAll(REEXPORT)) {
      const names = list.split(',').map((name) => name.trim());
      exported.push(...names.filter((name) => name !== '').map((name) => `  ${type}${name},\n`));
      await add(join(SOURCES_OF_CLIENT, module));
    }
  };
  await addExports(join(SOURCES_OF_CLIENT, entry));
  return [CLIENT_HEAD, ...texts, `export {\n${exported.join('')}};\n`].join('\n');
}

function withoutExports(module: string, text: string): string {
  const types = text
    .replaceAll(IMPORT, '')
    .replaceAll(EXPORT, '$1')
    .replaceAll(/^export \{\};\n/gm, '');
  const left = /^(?:import|export)\b.*/m.exec(types);
  if (left !== null) throw new Error(`${module} has an import or export in an unexpected form: ${left[0]}`);
  return `${types.trim()}\n`;
}

/** The explicit options override options that an outer npm command sets in the environment. */
async function packClient(folder: string): Promise<Buffer> {
  await run(process.execPath, [root('client/build.mjs'), join(folder, 'dist')]);
  for (const name of ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'])
    await copyFile(root(`client/${name}`), join(folder, name));
  const options = ['--ignore-scripts', '--dry-run=false', '--pack-destination', folder];
  await run('npm', ['pack', '--silent', ...options], { cwd: folder });
  return readFile(join(folder, `transactions-client-${clientJson.version}.tgz`));
}
