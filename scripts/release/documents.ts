import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What operators, and those who call the service, read. */
const DOCUMENTS = [
  'README.md',
  'SPEC.md',
  'SECURITY.md',
  'docs',
  'ops',
  'client/README.md',
  'conformance/README.md',
];

const LINK = /(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)[^)\s]*\)/g;

/** The names of an installation, as Debian has them. */
const RENAMED = new Map([
  ['CHANGELOG.md', 'changelog.gz'],
  ['LICENSE', 'copyright'],
]);

/** Copies the documents of a source. Of links to what an installation does not have, such as tests, the text is left. */
export function copyDocuments(source: string, folder: string): void {
  for (const name of DOCUMENTS) cpSync(join(source, name), join(folder, name), { recursive: true });
  for (const document of globSync('**/*.md', { cwd: folder })) {
    const path = join(folder, document);
    const text = readFileSync(path, 'utf8').replaceAll(
      LINK,
      (whole, mark: string, label: string, target: string) => {
        const renamed = RENAMED.get(join(dirname(document), target));
        if (renamed !== undefined) return `[${label}](${target.replace(/[^/]+$/, renamed)})`;
        return existsSync(resolve(dirname(path), target)) ? whole : mark === '' ? label : '';
      },
    );
    writeFileSync(path, text);
  }
}
