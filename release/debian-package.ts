import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { normalise, run, type Source } from './source.ts';
import { type Architecture, DEBIAN_NAMES, DOCUMENTS, zipped } from './tree.ts';

const MAINTAINER = 'the maintainers of transactions <maintainers@transactions.invalid>';
const SETTINGS = '/etc/transactions/transactions.env';
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
const UNITS = 'usr/lib/systemd/system';
const FILES = {
  'transactions.env': SETTINGS.slice(1),
  'transactions.service': `${UNITS}/transactions.service`,
  'transactions-backup.service': `${UNITS}/transactions-backup.service`,
  'transactions-backup.timer': `${UNITS}/transactions-backup.timer`,
  'nightly-backup': 'usr/lib/transactions/nightly-backup',
  'lintian-overrides': 'usr/share/lintian/overrides/transactions',
};

export const templateUnit = (unit: string): string =>
  unit.replace(/(?<=^Environment=ENV_FILE=\/etc\/transactions\/)transactions(?=\.env$)/m, '%i');

export function buildDebianPackage(
  tree: string,
  source: Source,
  { folder, scratch, architecture }: { folder: string; scratch: string; architecture: Architecture },
): string {
  const root = `${scratch}/debian`;
  const packaging = `${source.folder}/release/packaging/debian`;
  cpSync(tree, root, { recursive: true });
  for (const path of ['DEBIAN', ...Object.values(FILES).map(dirname)])
    mkdirSync(`${root}/${path}`, { recursive: true });
  for (const [name, path] of Object.entries(FILES)) cpSync(`${packaging}/${name}`, `${root}/${path}`);
  const unit = readFileSync(`${packaging}/transactions.service`, 'utf8');
  writeFileSync(`${root}/${UNITS}/transactions@.service`, templateUnit(unit));
  writeFileSync(`${root}/${DOCUMENTS}/changelog.gz`, zipped(debianChangelog(source)));
  const files = filesOf(root).filter((path) => !path.startsWith('DEBIAN'));
  const name = DEBIAN_NAMES[architecture];
  const control = [
    'Package: transactions',
    `Version: ${source.version}`,
    `Architecture: ${name}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${Math.ceil(Number(run('du', ['-s', '--apparent-size', '--block-size=1', root]).split('\t')[0]) / 1024)}`,
    // The included Node is linked with both libraries. postinst runs useradd, which is in passwd.
    'Depends: libc6 (>= 2.28), libstdc++6 (>= 6), passwd',
    // The guides use sqlite3 for repairs.
    'Recommends: sqlite3',
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
  // The file can contain passwords, so only root and the file's group may read it. postinst sets the group.
  chmodSync(`${root}${SETTINGS}`, 0o640);
  const file = `transactions_${source.version}_${name}.deb`;
  // With several threads, the compressed bytes depend on the number of threads.
  run('dpkg-deb', ['--root-owner-group', '--threads-max=1', '-Zxz', '--build', root, `${folder}/${file}`], {
    env: { SOURCE_DATE_EPOCH: String(source.madeAtSeconds) },
  });
  return file;
}

/** Debian's tools require a changelog. */
const debianChangelog = ({
  version,
  madeAtSeconds,
}: Source) => `transactions (${version}) stable; urgency=medium

  * The changes are in CHANGELOG.md.gz.

 -- ${MAINTAINER}  ${new Date(madeAtSeconds * 1000).toUTCString().replace('GMT', '+0000')}
`;

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
