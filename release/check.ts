import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { Argument, Command } from 'commander';
import packageJson from '#package' with { type: 'json' };
import { temporaryFolder } from '../test/rig/run/temporary-folder.ts';
import { checkBytes } from './check/bytes.ts';
import { checkDebianPackage } from './check/debian-package.ts';
import { checkImage } from './check/image.ts';
import { report, run } from './check/programs.ts';
import { ROOT } from './source.ts';

const FOLDER = `${ROOT}release/built`;
const { version } = packageJson;
const debianPackage = globSync(`${FOLDER}/transactions_${version}_amd64.deb`)[0] ?? '';
const LICENCES = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'Unicode-3.0',
  'Zlib',
  // SPDX's name for the notice with which SQLite is put into the public domain.
  'blessing',
]);

const CHECKS: Readonly<Record<string, (scratch: string) => Promise<void>>> = {
  audit: async () => {
    await run('npm', ['audit', '--omit=dev'], ROOT);
  },
  licences: async () => {
    const { components } = JSON.parse(readFileSync(`${FOLDER}/transactions-${version}.cdx.json`, 'utf8')) as {
      components: { name: string; licenses: { license: { id?: string } }[] }[];
    };
    const other = components.filter(
      ({ licenses }) => !licenses.every(({ license }) => LICENCES.has(license.id ?? '')),
    );
    assert.deepEqual(other, []);
    report(`${components.length} parts, each with a licence of ${[...LICENCES].join(', ')}`);
  },
  bytes: (scratch) => checkBytes(FOLDER, version, scratch),
  lintian: async () => {
    report((await run('lintian', [debianPackage])).trim());
  },
  npm: async () => {
    const files = ['test/release/package.long.test.ts', 'test/client/served-package.test.ts'];
    await run('npm', ['test', '--', ...files], ROOT);
  },
  deb: (scratch) => checkDebianPackage(debianPackage, scratch),
  image: (scratch) => checkImage(`${FOLDER}/transactions-${version}.oci.tar`, version, scratch),
};

const command = new Command('npm run release:check --')
  .description('test what release:build wrote into release/built/')
  .addArgument(
    new Argument('[checks...]', 'only these').choices(Object.keys(CHECKS)).default(Object.keys(CHECKS)),
  )
  .parse();
if (!existsSync(debianPackage))
  command.error('There is nothing in release/built/: run npm run release:build first.');
for (const [name, check] of Object.entries(CHECKS)) {
  if (!command.processedArgs[0].includes(name)) continue;
  const scratch = temporaryFolder();
  report(`${name}:`);
  try {
    await check(scratch.path);
    report(`${name}: passed`);
  } finally {
    await run('rm', ['-rf', '--one-file-system', scratch.path]);
  }
}
