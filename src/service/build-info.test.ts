import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/rig/run/temporary-folder.ts';
import { commitText, readCommit } from './build-info.ts';

const gitIn = (cwd: string) => {
  const author = ['-c', 'user.name=x', '-c', 'user.email=x@y'];
  return (...args: string[]) =>
    execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
};

test('a clone has its commit, a package has the commit in its file, and a copy inside another repository has none', (t) => {
  const { path } = temporaryFolder(t);
  const git = gitIn(path);
  git('init', '--quiet');
  assert.deepEqual(readCommit(path), { hash: 'unknown', day: 'unknown' });
  git('commit', '--quiet', '--allow-empty', '--message', 'first');
  const day = new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString().slice(0, 10);
  assert.deepEqual(readCommit(path), { hash: git('rev-parse', 'HEAD').trim(), day });
  const copy = join(path, 'copy');
  mkdirSync(copy);
  assert.equal(readCommit(copy).hash, 'unknown');
  writeFileSync(join(copy, 'commit'), commitText({ hash: 'abc', day: '2026-01-02' }));
  assert.deepEqual(readCommit(copy), { hash: 'abc', day: '2026-01-02' });
});

test('a clone that belongs to another user has its commit', (t) => {
  const { path } = temporaryFolder(t);
  const git = gitIn(path);
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'first');
  const commit = git('rev-parse', 'HEAD').trim();
  // Makes git treat the folder as another user's. git's own tests use this variable too.
  process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = 'true';
  t.after(() => delete process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER']);
  assert.throws(() => git('rev-parse', 'HEAD'), /dubious ownership/);
  assert.equal(readCommit(path).hash, commit);
});
