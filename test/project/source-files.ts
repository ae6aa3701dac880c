import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

interface SourceFile {
  /** Relative to the root of the repository, with `/` on every system. */
  path: string;
  text: string;
}

export interface Import {
  from: string;
  to: string;
}

export function importsOf({ path, text }: SourceFile): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s(?:[\w\s{},*$]*?\sfrom\s)?'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [...statements, ...calls].map(([, name = '']) => ({
    from: path,
    to: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name,
  }));
}

/** A room is a part of the source code (see roomOf). Each room may import the rooms in its list. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  bin: ['values', 'terminal', 'config', 'service', 'cli', 'commands'],
  client: ['values'],
  commands: ['values', 'terminal', 'client', 'reconcile', 'search text'],
  web: ['client', 'values', 'reconcile', 'search text'],
  reconcile: ['client', 'values'],
  'search text': ['client', 'values'],
  values: [],
  terminal: ['values'],
  port: ['values'],
  db: ['values', 'port'],
  http: ['values'],
  rules: ['values', 'port'],
  sqlite: ['values', 'terminal', 'port', 'db', 'rules'],
  postgres: ['values', 'port', 'db', 'rules'],
  network: ['values', 'rules'],
  operations: ['values', 'http', 'rules'],
  store: ['values', 'port', 'db', 'rules', 'sqlite', 'postgres'],
  config: ['values', 'rules', 'store'],
  capabilities: ['values', 'http', 'rules', 'operations'],
  service: [
    'values',
    'terminal',
    'db',
    'http',
    'rules',
    'network',
    'operations',
    'store',
    'config',
    'capabilities',
  ],
  cli: [
    'values',
    'terminal',
    'db',
    'http',
    'rules',
    'network',
    'sqlite',
    'postgres',
    'operations',
    'store',
    'config',
    'service',
  ],
};

/** Never add an exception. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // A clone of the repository has no built files. There, this file imports `release` to build them.
  'src/http/files/built-files.ts': ['release'],
  'src/http/telemetry/tracing.ts': ['store'],
  'src/http/overload/load-shedding.test.ts': ['service'],
  'values/reference.test.ts': ['rules'],
};

/** Rooms (see ROOMS) whose code must not use the clock, the network or the disk. */
const PURE_ROOMS = new Set(['values', 'rules', 'reconcile', 'search text']);

const PURE_PACKAGES = new Set(['node:assert/strict', 'node:crypto', 'node:zlib', 'libsodium-wrappers']);

const OWNERS: Readonly<Record<string, readonly string[]>> = {
  fastify: ['http', 'operations', 'service'],
  '@opentelemetry/api': ['http', 'service'],
  commander: ['bin', 'cli', 'commands', 'terminal'],
  'openid-client': ['network'],
  'node:sqlite': ['db', 'sqlite', 'store', 'commands', 'terminal'],
  pg: ['db', 'postgres', 'store'],
  preact: ['web'],
  'preact/hooks': ['web'],
};

export const SHIPPED = [
  'bin',
  'src',
  'values',
  'client/commands',
  'client/reconcile',
  'client/search-text',
  'client/src',
  'web',
];
const BROWSER_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  client: [],
  web: ['preact', 'preact/hooks'],
};
const TEST_ONLY = ['test', 'proof', 'release'];
const CAPABILITIES = /^src\/(ledger|operate|webhooks|keys|accounts|instances|audit|mcp|staff)\//;

const isTest = (path: string) => path.endsWith('.test.ts');
const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

function roomOf(path: string): string | undefined {
  if (path.startsWith('values/interface/')) return 'interface';
  if (path.startsWith('values/terminal/')) return 'terminal';
  if (path.startsWith('client/commands/')) return 'commands';
  if (path.startsWith('client/reconcile/')) return 'reconcile';
  if (path.startsWith('client/search-text/')) return 'search text';
  if (/^src\/db\/(db|statement|statement-text|database-clock)\.ts$/.test(path)) return 'port';
  if (path === 'src/capabilities.ts') return 'capabilities';
  if (CAPABILITIES.test(path)) {
    const [, part = 'rules'] = /\/(http|sqlite|postgres|network)\//.exec(path) ?? [];
    return part === 'http' ? 'operations' : part;
  }
  const [, room] =
    /^(?:src\/)?(bin|client|release|web|values|db|http|store|config|service|cli)\//.exec(path) ?? [];
  return room;
}

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

export function findWrongImports(imports: readonly Import[]): string[] {
  return imports.map(explainImport).filter((fault) => fault !== undefined);
}

function explainImport({ from, to }: Import): string | undefined {
  const room = roomOf(from);
  if (room === undefined) return `${from} is in no room`;
  if (TEST_ONLY.some((folder) => isWithin(to, folder)))
    return isTest(from) || EXCEPTIONS[from]?.includes(roomOf(to) ?? '')
      ? undefined
      : `${from} imports ${to}, which is not shipped`;
  if (SHIPPED.some((folder) => isWithin(to, folder))) {
    if (isTest(to)) return `${from} imports the test ${to}`;
    const allowed = [room, 'interface', ...(ROOMS[room] ?? []), ...(EXCEPTIONS[from] ?? [])];
    return allowed.includes(roomOf(to) ?? '') ? undefined : `${from} may not import ${to}`;
  }
  if (isTest(from)) return undefined;
  if (PURE_ROOMS.has(room) && !PURE_PACKAGES.has(to)) return `${from} may not import ${to}`;
  const browserPackages = BROWSER_PACKAGES[room];
  if (browserPackages !== undefined && !browserPackages.includes(to)) return `${from} may not import ${to}`;
  const owners = OWNERS[to];
  return owners === undefined || owners.includes(room) ? undefined : `${from} may not import ${to}`;
}

export function unusedExceptions(imports: readonly Import[]): string[] {
  return Object.entries(EXCEPTIONS).flatMap(([from, rooms]) =>
    rooms
      .filter((room) => !imports.some((one) => one.from === from && roomOf(one.to) === room))
      .map((room) => `${from}: ${room}`),
  );
}

const COMPOSERS = /^(src\/(store|service)\/|src\/capabilities\.ts$|release\/)/;

const capabilityOf = (path: string): string | undefined =>
  /^src\/(?:(?:ledger|operate)\/(?!(?:http|postgres|sqlite)\/)[^/]+|webhooks|keys|accounts|instances|audit|mcp|staff)(?=\/)/.exec(
    path,
  )?.[0];

/**
 * Code elsewhere may import only files named after their folder: `webhooks/webhook.ts`, `keys/api-key.ts`.
 */
function isDoor(path: string, capability: string): boolean {
  const name = capability.split('/').at(-1) ?? '';
  const file = path.slice(capability.length + 1);
  return [`${name}.ts`, `${name.replace(/s$/, '')}.ts`, `api-${name.replace(/s$/, '')}.ts`].includes(file);
}

export function importedPastDoors(imports: readonly Import[]): string[] {
  const past = imports.filter(({ from, to }) => {
    const capability = capabilityOf(to);
    if (capability === undefined || capabilityOf(from) === capability || isTest(from)) return false;
    const isCommand = from.startsWith(`src/cli/${capability.split('/').at(-1)}`);
    return !isCommand && !COMPOSERS.test(from) && !isDoor(to, capability);
  });
  return [...new Set(past.map(({ to }) => to))].sort();
}
