import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { forReader, withoutPart } from '../src/http/documents/guide-reader.ts';
import { readersAt } from './pages/guide-documents.ts';
import { withPackageForms } from './pages/package-forms.ts';

const DOCUMENTS = [
  'README.md',
  'SPEC.md',
  'SECURITY.md',
  'docs',
  'release/ops',
  'client/README.md',
  'proof/conformance/README.md',
];

const OF_MAINTAINERS = /docs\/recipes\.md$/;

const LINK = /(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)[^)\s]*\)/g;

const RENAMED = new Map([
  ['CHANGELOG.md', 'CHANGELOG.md.gz'],
  ['LICENSE', 'copyright'],
]);

const OF_OPERATORS = new Set(
  readersAt('operator')
    .filter(({ listener }) => listener === 'operator')
    .flatMap(({ documents }) => Object.values(documents)),
);

const READER = {
  listener: 'operator',
  origin: 'http://127.0.0.1:3001',
  publicOrigin: 'http://127.0.0.1:3000',
  isPacked: true,
} as const;

/** A link to a file that is not installed, such as a test, becomes plain text. */
export function copyDocuments(source: string, folder: string): void {
  for (const name of DOCUMENTS)
    cpSync(join(source, name), join(folder, name), {
      recursive: true,
      filter: (path) => !OF_MAINTAINERS.test(path),
    });
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
    const written = OF_OPERATORS.has(document)
      ? forReader(withPackageForms(text), READER)
      : withoutPart(text, 'clone');
    writeFileSync(path, written);
  }
}
