import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { PROMISES, testOf } from '../faults/planted-faults.ts';
import { type Group, IN_TURNS, isRun, type Tier, TURNS, testFiles, testsOf } from '../rig/run/test-files.ts';
import { TIER } from '../rig/run/tier.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const everyFile = globSync('{test,src,web}/**/*.test.ts', { cwd });

/** The files that a tier runs, by themselves or in a group. */
function filesOf(tier: Tier): string[] {
  const run = testFiles(tier);
  const groups = run.filter((file) => file.startsWith('test/groups/'));
  assert.ok(groups.length > 1);
  const grouped = groups.flatMap((file) => {
    const source = readFileSync(`${cwd}${file}`, 'utf8');
    const [, group = '', share = 1, of = 1] =
      /^await importTests\('([\w-]+)'(?:, (\d+), (\d+))?\);$/m.exec(source) ?? [];
    const files = testsOf(tier, group as Group, Number(share), Number(of));
    assert.ok(files.length > 0, `${file} runs nothing`);
    return files;
  });
  const alone = run.filter((file) => !groups.includes(file));
  return [...alone, ...grouped].sort();
}

// `npm run coverage`, which npm test begins with, runs the unit tests.
test('npm test runs every other test file once, but none of the long tier, and one in 24 of those that take turns', () => {
  const other = everyFile.filter((file) => file.startsWith('test/'));
  const short = other.filter((file) => isRun(file, 'short'));
  const left = other.filter((file) => !short.includes(file));
  const long = left.filter((file) => file.endsWith('.long.test.ts'));
  assert.ok(long.length > 0);
  const resting = left.filter((file) => !long.includes(file)).sort();
  const turns = TIER === 'long' ? [[]] : TURNS.map((turn) => IN_TURNS.filter((file) => !turn.includes(file)));
  assert.ok(
    turns.some((others) => isDeepStrictEqual(others, resting)),
    `others rest than in any turn: ${resting}`,
  );
  assert.deepEqual(filesOf('short'), short.sort());
});

test('each promise has a planted fault that no file which takes turns must find: it is tested with each commit', () => {
  const untested = Object.values(PROMISES)
    .flat()
    .filter(({ faults }) =>
      faults.every((fault) => fault.checks.length === 0 && IN_TURNS.includes(testOf(fault))),
    );
  assert.deepEqual(
    untested.map(({ promise }) => promise),
    [],
  );
});

test('each file that takes turns exists, and has one turn', () => {
  assert.deepEqual(TURNS.flat().sort(), IN_TURNS);

  const source = readFileSync(`${cwd}test/rig/run/test-files.ts`, 'utf8');
  const [list = ''] = /IN_TURNS: .*?\.sort\(\)/s.exec(source) ?? [];
  const named = [...list.matchAll(/'(test\/[^']*\.test\.ts)'/g)].flatMap(([, path = '']) => {
    const [, before, names = '', after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
    return names === '' ? [path] : names.split(',').map((name) => `${before}${name}${after}`);
  });
  assert.deepEqual(named.filter((path) => !path.includes('*')).sort(), IN_TURNS);
});

test('npm run test:long runs every test file once, unit tests included', () => {
  assert.deepEqual(filesOf('long'), everyFile.sort());
});
