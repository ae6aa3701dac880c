import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { copyDocuments } from './copy-documents.ts';
import { buildCompletion, buildManual } from './manual.ts';
import { normalise, ROOT, run, type Source } from './source.ts';

export const BILL_OF_MATERIALS = 'transactions.cdx.json';
const HOME = 'usr/lib/transactions';
export const DOCUMENTS = 'usr/share/doc/transactions';

const LOADED = /\.(?:js|cjs|mjs|json|wasm)$|(?:^|\/)(?:licen[cs]e|copying|notice)[^/]*$/i;
const DEVELOPMENT =
  /(?:^|\/)(?:\.\w+|tests?|__tests__|spec|benchmarks?|bench|examples?|integration|docs)\/|^\.package-lock\.json$|\.eslintrc/;

export const DEBIAN_NAMES = { x64: 'amd64', arm64: 'arm64' } as const;

export type Architecture = keyof typeof DEBIAN_NAMES;

export function buildTree(
  folder: string,
  source: Source,
  { tarball, architecture }: { tarball: string; architecture: Architecture },
): void {
  const home = `${folder}/${HOME}`;
  mkdirSync(home, { recursive: true });
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', home]);
  cpSync(`${source.folder}/package-lock.json`, `${home}/package-lock.json`);
  run('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
  });
  removeNeedless(`${home}/node_modules`);
  rmSync(`${home}/package-lock.json`);
  const node = nodeProgram(architecture);
  cpSync(`${node}/bin/node`, `${home}/node`);
  rmSync(`${home}/proof`, { recursive: true });
  run('find', [home, '-type', 'f', '-exec', 'chmod', '644', '{}', '+']);
  chmodSync(`${home}/node`, 0o755);

  const documents = `${folder}/${DOCUMENTS}`;
  copyDocuments(source.folder, documents);
  writeFileSync(`${documents}/CHANGELOG.md.gz`, zipped(readFileSync(`${home}/CHANGELOG.md`, 'utf8')));
  rmSync(`${home}/CHANGELOG.md`);
  rmSync(`${home}/README.md`);
  renameSync(`${home}/${BILL_OF_MATERIALS}`, `${documents}/${BILL_OF_MATERIALS}`);
  writeFileSync(`${documents}/copyright`, licencesText(home, readFileSync(`${node}/LICENSE`, 'utf8')));
  for (const [path, text] of Object.entries({
    'usr/share/man/man1/transactions.1.gz': zipped(buildManual(source)),
    'usr/share/bash-completion/completions/transactions': buildCompletion(),
  })) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    writeFileSync(`${folder}/${path}`, text);
  }
  mkdirSync(`${folder}/usr/bin`, { recursive: true });
  cpSync(`${source.folder}/release/packaging/transactions`, `${folder}/usr/bin/transactions`);
  normalise(folder, source);
}

function removeNeedless(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    const isNeeded = LOADED.test(path) && !DEVELOPMENT.test(path);
    if (!entry.isDirectory() && !isNeeded) rmSync(`${folder}/${path}`);
  }
  run('find', [folder, '-type', 'd', '-empty', '-delete']);
}

// Equal texts give equal bytes, because gzipSync writes no time.
export const zipped = (text: string) => gzipSync(text, { level: 9 });

function nodeProgram(architecture: Architecture): string {
  const name = `node-linux-${architecture}`;
  const installed = `${ROOT}node_modules/${name}`;
  if (existsSync(installed)) return installed;
  const { optionalDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  const folder = `${ROOT}node_modules/.cache/${name}-${optionalDependencies[name]}`;
  if (!existsSync(`${folder}/bin/node`)) {
    mkdirSync(folder, { recursive: true });
    const [packed = ''] = run('npm', ['pack', '--silent', `${name}@${optionalDependencies[name]}`], {
      cwd: folder,
    })
      .trim()
      .split('\n');
    run('tar', ['-xzf', packed, '--strip-components=1'], { cwd: folder });
    rmSync(`${folder}/${packed}`);
  }
  return folder;
}

function licencesText(home: string, licenceOfNode: string): string {
  const own = readFileSync(`${home}/LICENSE`, 'utf8');
  const parts = globSync('node_modules/{*,@*/*}/package.json', { cwd: home })
    .sort()
    .map((path) => licenceOf(`${home}/${dirname(path)}`));
  return [
    `transactions\n\n${own}`,
    ...parts,
    `Node.js, with the licences of its own parts\n\n${licenceOfNode}`,
  ].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} has no licence in its package.json`);
  const [file] = globSync('{LICEN[CS]E,licen[cs]e,COPYING}*', { cwd: folder });
  const text =
    file === undefined
      ? 'Its package has no text of the licence.\n'
      : readFileSync(`${folder}/${file}`, 'utf8');
  return `${name} ${version}: ${license}\n\n${text}`;
}
