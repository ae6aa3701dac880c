import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copyDocuments } from '../../release/copy-documents.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ADDED = ['CHANGELOG.md.gz', 'copyright'];

test('in the documents of an installation, broken links are replaced by their text, and nothing is for a clone', (t) => {
  const { path: folder } = temporaryFolder(t);
  copyDocuments(ROOT, folder);
  const documents = globSync('**/*.md', { cwd: folder });
  let links = 0;
  for (const document of documents) {
    const text = readFileSync(join(folder, document), 'utf8');
    assert.doesNotMatch(text, /<!-- clone/, document);
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)) {
      links++;
      const path = resolve(folder, dirname(document), target);
      const isAdded = ADDED.some((name) => path === join(folder, name));
      assert.ok(isAdded || existsSync(path), `${document}: ${target}`);
    }
  }
  assert.ok(documents.length > 20 && links > 150, `${links} links in ${documents.length} documents`);
  const promises = readFileSync(join(folder, 'docs/promises.md'), 'utf8');
  assert.match(promises, /^- An archived transaction is not recorded a second time \(sqlite\)$/m);
});
