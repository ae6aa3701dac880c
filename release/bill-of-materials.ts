import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/rig/run/temporary-folder.ts';
import { run, type Source } from './source.ts';

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string } };
  components: object[];
}

/** For each library in process.versions: its name, its licence, and the vendor and the product of its CPE. */
const INSIDE_NODE = {
  ares: ['c-ares', 'MIT', 'c-ares:c-ares'],
  brotli: ['brotli', 'MIT', 'google:brotli'],
  icu: ['icu', 'Unicode-3.0', 'icu-project:international_components_for_unicode'],
  llhttp: ['llhttp', 'MIT', 'llhttp:llhttp'],
  nghttp2: ['nghttp2', 'MIT', 'nghttp2:nghttp2'],
  openssl: ['openssl', 'Apache-2.0', 'openssl:openssl'],
  sqlite: ['sqlite', 'blessing', 'sqlite:sqlite'],
  undici: ['undici', 'MIT', 'nodejs:undici'],
  uv: ['libuv', 'MIT', 'libuv:libuv'],
  v8: ['v8', 'BSD-3-Clause', 'google:v8'],
  zlib: ['zlib', 'Zlib', 'zlib:zlib'],
  zstd: ['zstd', 'BSD-3-Clause', 'facebook:zstandard'],
} as const;

export function nodeComponents(nodeVersion: string) {
  if (process.versions.node !== nodeVersion)
    throw new Error(`build with the Node of the package, ${nodeVersion}: npm run release:build`);
  const component = (name: string, version: string, licence: string, cpe: string) => ({
    'bom-ref': `${name}@${version}`,
    type: name === 'node' ? 'platform' : 'library',
    name,
    version,
    cpe: `cpe:2.3:a:${cpe}:${version.split('-')[0]}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { id: licence } }],
  });
  return [
    component('node', nodeVersion, 'MIT', 'nodejs:node.js'),
    ...Object.entries(INSIDE_NODE).map(([key, [name, licence, cpe]]) =>
      component(name, process.versions[key] as string, licence, cpe),
    ),
  ];
}

export function billOfMaterials(source: Source, nodeVersion: string): string {
  const folder = temporaryFolder();
  try {
    const packageJson = JSON.parse(readFileSync(join(source.folder, 'package.json'), 'utf8'));
    // If a package is also a devDependency, as pg is, npm omits the package from the bill.
    const { devDependencies: _, optionalDependencies: __, ...needed } = packageJson;
    writeFileSync(`${folder.path}/package.json`, JSON.stringify(needed));
    cpSync(join(source.folder, 'package-lock.json'), `${folder.path}/package-lock.json`);
    const npm = (...args: string[]) => run('npm', args, { cwd: folder.path });
    npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
    const bom = JSON.parse(
      npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'optional'),
    ) as Bom;
    bom.metadata.timestamp = new Date(source.madeAtSeconds * 1000).toISOString();
    bom.metadata.component.name = packageJson.name;
    bom.components.push(...nodeComponents(nodeVersion));
    bom.serialNumber = `urn:uuid:${uuidOf({ ...bom, serialNumber: '' })}`;
    return `${JSON.stringify(bom, null, 2)}\n`;
  } finally {
    folder.remove();
  }
}

/** Not random, so that builds are repeatable. */
function uuidOf(contents: object): string {
  const hex = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
