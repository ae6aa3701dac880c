import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import packageJson from '#package' with { type: 'json' };
import { temporaryFolder } from '../../test/rig/temporary-folder.ts';
import { buildInfo, readCommit } from './build-info.ts';

test('a clone has its commit, a package that of its file, and a copy inside of another repository none', (t) => {
  const { path, remove } = temporaryFolder();
  t.after(remove);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
      cwd: path,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  assert.equal(readCommit(path), 'unknown');
  git('commit', '--quiet', '--allow-empty', '--message', 'first');
  assert.equal(readCommit(path), git('rev-parse', 'HEAD').trim());
  const copy = join(path, 'copy');
  mkdirSync(copy);
  assert.equal(readCommit(copy), 'unknown');
  writeFileSync(join(copy, 'commit'), 'abc\n');
  assert.equal(readCommit(copy), 'abc');
});

test('a clone that belongs to another user has its commit', (t) => {
  const { path, remove } = temporaryFolder();
  t.after(remove);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path, encoding: 'utf8', stdio: 'pipe' });
  const author = ['-c', 'user.name=x', '-c', 'user.email=x@y'];
  git('init', '--quiet');
  git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  const commit = git('rev-parse', 'HEAD').trim();
  // A variable of git's own tests.
  process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = 'true';
  t.after(() => delete process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER']);
  assert.throws(() => git('rev-parse', 'HEAD'), /dubious ownership/);
  assert.equal(readCommit(path), commit);
});

test('the program has the version of its package', () => {
  assert.equal(buildInfo().version, packageJson.version);
  assert.match(buildInfo().commit, /^([0-9a-f]{40}|unknown)$/);
});
