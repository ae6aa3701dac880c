import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FAULTS } from '../faults/planted-faults.ts';

const PLANT = fileURLToPath(new URL('../faults/plant-module.ts', import.meta.url));
const IN_PROCESS = fileURLToPath(new URL('./find-in-histories.ts', import.meta.url));
/** A history can happen to miss a fault, so more follow: one of two to six finds each of these. */
const HISTORIES = 12;

/** Rare faults of moves and archives, what the judge says, the seed of the first history, and what the operator does in it. */
const FOUND: readonly [fault: string, sentence: RegExp, seed: number, plan: string][] = [
  [
    'a removal of details is repeated by reference, whatever payment it was of',
    /detailsRemovedAt/,
    2,
    'archived,moves,archived,erased,archived,moves,erased,moves',
  ],
  [
    'a copy leaves out the last block of seals before the end of an archive',
    /seal at the sequence number/,
    4,
    'archived,moves,archived,moves,archived,moves',
  ],
  [
    'a file that an interrupted archive left behind stays',
    /is not replaced/,
    2,
    'archived,archived,archived,archived,archived,archived',
  ],
];

for (const [name, sentence, seed, plan] of FOUND)
  test(`a history in one process finds the planted fault: ${name}`, async () => {
    const fault = FAULTS.find((one) => one.name === name);
    assert.ok(fault, `there is no fault "${name}"`);
    const { file, from, to } = fault;
    const env = {
      ...process.env,
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${PLANT}`,
      PLANTED_CHANGE: JSON.stringify({ file, from, to }),
    };
    const args = [IN_PROCESS, String(seed), String(HISTORIES), plan];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    assert.match(stdout, sentence);
  });
