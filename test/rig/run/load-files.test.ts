import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

const PASSING = "import { test } from 'node:test';\ntest('passes', () => {});\n";

test('a file that throws while it loads fails the run, even after its first test', (t) => {
  const { path } = temporaryFolder(t);
  const run = (name: string, source: string) => {
    writeFileSync(`${path}/${name}`, source);
    return spawnSync(process.execPath, ['--test', '--test-isolation=none', 'test/rig/run/load-files.ts'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_FILES: `${path}/*.ts` },
    });
  };
  assert.equal(run('none', '').status, 1);
  const passed = run('first.ts', PASSING);
  assert.equal(passed.status, 0, passed.stdout + passed.stderr);
  const { status, stdout } = run('second.ts', `${PASSING}throw new Error('thrown at load');\n`);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /second\.ts loads/);
  assert.match(stdout, /thrown at load/);
  assert.match(stdout, /pass 2\n/);
});
