/**
 * Writes the service as JavaScript into dist, which npm packs: Node strips no types below node_modules. Run by npm pack and npm publish.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const FOLDERS = ['src', 'client/src', 'client/module', 'web'];
/** The paths of modules in imports, URLs of threads, and the page. */
const MODULE_PATH = /(['"])((?:\.{1,2}\/|\{files\}\/)[\w./-]+)\.ts\1/g;

/** Where a file of the repository is in dist, or undefined if the package does not need it. */
function packedPath(path: string): string | undefined {
  if (/\.test\.ts$|(^|\/)tsconfig\.json$/.test(path)) return undefined;
  return path.endsWith('.d.ts') ? path : path.replace(/\.ts$/, '.js');
}

function packedText(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const script = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  return script.replaceAll(MODULE_PATH, (_, quote, module) => {
    const file = module.startsWith('{files}/')
      ? module.slice('{files}/'.length)
      : join(dirname(path), module);
    if (!existsSync(join(ROOT, `${file}.ts`)))
      throw new Error(`${path} names ${module}.ts, which does not exist`);
    return `${quote}${module}.js${quote}`;
  });
}

// The warning that stripTypeScriptTypes is experimental is not for those who pack.
process.removeAllListeners('warning');
rmSync(DIST, { recursive: true, force: true });
for (const folder of FOLDERS) {
  for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(ROOT.length);
    const packed = entry.isFile() ? packedPath(path) : undefined;
    if (packed === undefined) continue;
    mkdirSync(dirname(join(DIST, packed)), { recursive: true });
    if (/\.(ts|html)$/.test(path) && !path.endsWith('.d.ts'))
      writeFileSync(join(DIST, packed), packedText(path));
    else cpSync(join(ROOT, path), join(DIST, packed));
  }
}
