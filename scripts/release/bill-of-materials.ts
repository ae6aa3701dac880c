import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/rig/run/temporary-folder.ts';
import { run, type Source } from './source.ts';

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string } };
  components: object[];
}

/** What an installation contains, in the form of CycloneDX: the packages of the lock file that production needs, and Node. */
export function billOfMaterials(source: Source, nodeVersion: string): string {
  const folder = temporaryFolder();
  try {
    const packageJson = JSON.parse(readFileSync(join(source.folder, 'package.json'), 'utf8'));
    // npm leaves out packages that development needs too, such as pg.
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
    bom.components.push({
      'bom-ref': `node@${nodeVersion}`,
      type: 'platform',
      name: 'node',
      version: nodeVersion,
      purl: `pkg:generic/node@${nodeVersion}`,
      licenses: [{ license: { id: 'MIT' } }],
    });
    bom.serialNumber = `urn:uuid:${uuidOf({ ...bom, serialNumber: '' })}`;
    return `${JSON.stringify(bom, null, 2)}\n`;
  } finally {
    folder.remove();
  }
}

/** A serial number that depends on the contents alone. */
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
