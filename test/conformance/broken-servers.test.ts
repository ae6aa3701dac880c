import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checks } from '../../conformance/index.js';
import { someInTier } from '../rig/tier.ts';
import type { Defect } from './broken-servers/defect.ts';
import { DEFECTS } from './broken-servers/index.ts';
import { applyDefect } from './broken-servers/start-broken-server.ts';
import { judgeBrokenServer } from './run-kit.ts';

// Some checks wait for the end of a key or of a cursor.
const AT_ONCE = 8;
const SHARE = 40;

/** Runs the check that is meant to find the defect. Returns why it was missed, or undefined. */
async function whyMissed(defect: Defect): Promise<string | undefined> {
  const { check, beside = [], name } = defect;
  try {
    const { results } = await judgeBrokenServer(defect, { only: [check, ...beside], seed: 1 });
    const result = results.find(({ id }) => id === check);
    return result?.outcome === 'failed'
      ? undefined
      : `${name}: ${check} ${result?.outcome} ${result?.reason ?? ''}`;
  } catch (error) {
    return `${name}: ${error}`;
  }
}

test('each defect has a name of its own and changes the right server', () => {
  const names = DEFECTS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const defect of DEFECTS) assert.notEqual(applyDefect(defect), applyDefect({ ...defect, edits: [] }));
});

test('each broken server is found by the check that is meant to find it', async () => {
  const missed: (string | undefined)[] = [];
  const defects = someInTier(DEFECTS, SHARE);
  const waiting = [...defects];
  const work = async () => {
    for (let defect = waiting.shift(); defect !== undefined; defect = waiting.shift())
      missed.push(await whyMissed(defect));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.equal(missed.length, defects.length);
  assert.deepEqual(
    missed.filter((one) => one !== undefined),
    [],
  );
});

test('no check is without a broken server that it finds', () => {
  const finders = new Set(DEFECTS.map(({ check }) => check));
  const without = checks.map(({ id }) => id).filter((id) => !finders.has(id));
  assert.deepEqual(without, []);
});
