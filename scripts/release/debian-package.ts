import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalise, run, type Source } from './source.ts';
import { type Architecture, DEBIAN_NAMES } from './tree.ts';

const SETTINGS = '/etc/transactions/transactions.env';
const SCRIPTS = ['postinst', 'prerm', 'postrm'];

/** Writes the Debian package of a tree into a folder. Returns its name. */
export function buildDebianPackage(
  tree: string,
  source: Source,
  { folder, scratch, architecture }: { folder: string; scratch: string; architecture: Architecture },
): string {
  const root = `${scratch}/debian`;
  const packaging = `${source.folder}/packaging/debian`;
  cpSync(tree, root, { recursive: true });
  for (const path of ['DEBIAN', 'etc/transactions', 'usr/lib/systemd/system'])
    mkdirSync(`${root}/${path}`, { recursive: true });
  cpSync(`${packaging}/transactions.env`, `${root}${SETTINGS}`);
  cpSync(`${packaging}/transactions.service`, `${root}/usr/lib/systemd/system/transactions.service`);
  const files = filesOf(root).filter((path) => !path.startsWith('DEBIAN'));
  const name = DEBIAN_NAMES[architecture];
  const control = [
    'Package: transactions',
    `Version: ${source.version}`,
    `Architecture: ${name}`,
    'Maintainer: the maintainers of transactions <maintainers@transactions.invalid>',
    `Installed-Size: ${Math.ceil(Number(run('du', ['-s', '--apparent-size', '--block-size=1', root]).split('\t')[0]) / 1024)}`,
    // What the Node inside was linked with.
    'Depends: libc6 (>= 2.28), libstdc++6 (>= 6), passwd',
    'Suggests: postgresql (>= 15)',
    'Section: net',
    'Priority: optional',
    'Description: records the transactions of accounts and lists them over HTTP',
    ' A payment platform records the payments of its merchants, and they read them:',
    ' as lists, a feed of changes, webhooks, totals, files and a page. On SQLite,',
    ' PostgreSQL or Citus. Contains Node.js.',
    '',
  ];
  const sums = files
    .filter((path) => `/${path}` !== SETTINGS)
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(root, path)))
          .digest('hex')}  ${path}\n`,
    );
  writeFileSync(`${root}/DEBIAN/control`, control.join('\n'));
  writeFileSync(`${root}/DEBIAN/conffiles`, `${SETTINGS}\n`);
  writeFileSync(`${root}/DEBIAN/md5sums`, sums.join(''));
  for (const script of SCRIPTS) cpSync(`${packaging}/${script}`, `${root}/DEBIAN/${script}`);
  normalise(root, source);
  const file = `transactions_${source.version}_${name}.deb`;
  // With more threads, the compressed bytes depend on their number.
  run('dpkg-deb', ['--root-owner-group', '--threads-max=1', '-Zxz', '--build', root, `${folder}/${file}`], {
    env: { SOURCE_DATE_EPOCH: String(source.madeAtSeconds) },
  });
  return file;
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
