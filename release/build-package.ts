/** Node does not strip types in node_modules, so a package needs JavaScript. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitOf, commitText } from '../src/service/build-info.ts';
import { BUILDS } from './files/build-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [folder = join(ROOT, 'dist')] = process.argv.slice(2);
const SOURCES = [
  'bin',
  'src',
  'values',
  'client/commands',
  'client/reconcile',
  'client/search-text',
  'client/src',
];
const COMMAND = 'bin/transactions.js';
const OTHERS = ['client/package.json', 'web/index.html', 'web/icon.svg'];
/** Matches module paths in imports and in `new URL('./reading-thread-worker.ts', ...)`. */
const MODULE_PATH = /(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g;

/** Does not change line numbers. */
function packedText(path: string): string {
  const script = stripTypeScriptTypes(readFileSync(join(ROOT, path), 'utf8'));
  return script.replaceAll(MODULE_PATH, (_, quote, module) => {
    if (!existsSync(join(ROOT, dirname(path), `${module}.ts`)))
      throw new Error(`${path} names ${module}.ts, which does not exist`);
    return `${quote}${module}.js${quote}`;
  });
}

function pack(path: string, text?: string): void {
  const target = join(folder, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  if (text === undefined) cpSync(join(ROOT, path), target);
  else writeFileSync(target, text);
}

// stripTypeScriptTypes warns that it is experimental.
process.removeAllListeners('warning');
rmSync(folder, { recursive: true, force: true });
for (const source of SOURCES) {
  for (const entry of readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(ROOT.length);
    if (!entry.isFile() || path.endsWith('.test.ts') || path === COMMAND) continue;
    pack(path, path.endsWith('.ts') ? packedText(path) : undefined);
  }
}
for (const path of OTHERS) pack(path);
// A release is built in a folder that is not a clone, so the commit comes from the environment.
const { COMMIT: hash, COMMIT_DAY: day } = process.env;
const commit = hash === undefined || day === undefined ? commitOf(ROOT) : { hash, day };
writeFileSync(join(folder, 'commit'), commitText(commit));
mkdirSync(join(folder, 'built'));
for (const [name, build] of Object.entries(BUILDS)) writeFileSync(join(folder, 'built', name), await build());
