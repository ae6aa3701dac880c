import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
}

export interface Import {
  from: string;
  /** A path from the root of the repository, or the name of a package. */
  to: string;
}

/**
 * The other folders that a folder may import. The direction: bin, cli -> app -> http -> core <- store.
 * The client imports nothing of the service, and the page in the browser imports only the client.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  bin: ['src/cli/operator'],
  'client/src': [],
  web: ['client/src'],
  'src/cli/operator': [
    'src/service/app.ts',
    'src/service/operator-app.ts',
    'src/config',
    'src/http',
    'src/values',
    'src/store',
    'src/webhooks/network',
    'client/src',
  ],
  'src/service/operator-app.ts': ['src/service/app.ts', 'src/http', 'src/values'],
  'src/service/app.ts': ['src/config', 'src/http', 'src/values'],
  // A setting is checked by the layer that uses it, for example a database address by the store.
  'src/config': ['src/values', 'src/store'],
  'src/http': ['src/values'],
  'src/store': ['src/values'],
  'src/webhooks/network': ['src/values'],
  'src/values': [],
};

/** The packages that core may import: none reads a clock, the network or the disk. */
const PURE_PACKAGES = new Set(['node:crypto', 'node:zlib', 'libsodium-wrappers', 'leven']);

/** Packages that only some layers may import. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  fastify: ['src/http', 'src/service/app.ts'],
  '@opentelemetry/api': ['src/http', 'src/service/app.ts'],
  commander: ['src/cli/operator'],
  'node:sqlite': ['src/store'],
  pg: ['src/store'],
  'fflate/browser': ['web'],
  preact: ['web'],
  'preact/hooks': ['web'],
};

const SHIPPED = ['bin', 'src', 'client/src', 'web'];
/** Layers that run in browsers, and the packages available there. */
const BROWSER_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'client/src': [],
  web: ['preact', 'preact/hooks', 'fflate/browser'],
};
const TEST_ONLY = ['test', 'bench', 'scripts'];

const isTest = (path: string) => path.endsWith('.test.ts');
const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
/** A test belongs to the layer of the file that it tests. */
const layerOf = (path: string) =>
  Object.keys(LAYERS).find((layer) => isWithin(path.replace(/\.test\.ts$/, '.ts'), layer));

/** Every file below some folders of the repository. */
export function readSourceFiles(root: string, folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { path: relative(root, path), text: readFileSync(path, 'utf8') };
      }),
  );
}

/** The imports and re-exports of a file, with types, in the form that the formatter writes. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s(?:[\w\s{},*$]*?\sfrom\s)?'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [...statements, ...calls].map(([, name = '']) => ({
    from: path,
    to: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name,
  }));
}

/** A sentence for each import against the direction. */
export function findWrongImports(imports: readonly Import[]): string[] {
  return imports.map(explainImport).filter((fault) => fault !== undefined);
}

function explainImport({ from, to }: Import): string | undefined {
  const layer = layerOf(from);
  if (layer === undefined) return `${from} is in no layer`;
  if (TEST_ONLY.some((folder) => isWithin(to, folder)))
    return isTest(from) ? undefined : `${from} imports ${to}, which is not shipped`;
  if (SHIPPED.some((folder) => isWithin(to, folder))) {
    const allowed = [layer, ...(LAYERS[layer] ?? [])];
    if (isTest(to)) return `${from} imports the test ${to}`;
    return allowed.some((folder) => isWithin(to, folder)) ? undefined : `${from} may not import ${to}`;
  }
  if (isTest(from)) return undefined;
  if (layer === 'src/values' && !PURE_PACKAGES.has(to)) return `${from} may not import ${to}`;
  const browserPackages = BROWSER_PACKAGES[layer];
  if (browserPackages !== undefined && !browserPackages.includes(to)) return `${from} may not import ${to}`;
  const owners = OWNERS[to];
  return owners === undefined || owners.includes(layer) ? undefined : `${from} may not import ${to}`;
}

/** The cycles of imports, each from a file back to itself. */
export function findCycles(imports: readonly Import[]): string[] {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const cycles: string[] = [];
  const path: string[] = [];
  const done = new Set<string>();
  const visit = (file: string) => {
    const start = path.indexOf(file);
    if (start !== -1) {
      cycles.push([...path.slice(start), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const { to } of graph.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}
