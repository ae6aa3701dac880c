import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The licence of each part of an installation, with its text. Throws: an error if a package has none. */
export function licencesText(home: string, licenceOfNode: string): string {
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
