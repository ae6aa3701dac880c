import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string> }>;
}

const RIGHTS: Record<string, Record<string, string>> = {
  packages: { contents: 'write', 'id-token': 'write' },
  image: { contents: 'read', packages: 'write' },
};

for (const path of globSync('.github/workflows/*')) {
  const text = readFileSync(path, 'utf8');

  test(`${path}: each action is pinned by the hash of a commit`, () => {
    for (const [, used = ''] of text.matchAll(/\buses: *(.*)/g))
      assert.match(used, /^[\w./-]+@[0-9a-f]{40} # v/);
  });

  test(`${path}: a job has only the rights that it needs`, () => {
    const { permissions, jobs } = parse(text) as Workflow;
    assert.deepEqual(permissions, { contents: 'read' });
    for (const [name, job] of Object.entries(jobs)) assert.deepEqual(job.permissions, RIGHTS[name], name);
  });
}
