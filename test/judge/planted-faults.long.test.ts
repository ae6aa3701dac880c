import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { FaultTrials } from '../faults/fault-trials.ts';
import { FAULTS } from '../faults/planted-faults.ts';

const trials = new FaultTrials();
after(() => trials.remove());
/** One history can miss a fault by chance, so up to six are run. */
const HISTORIES = 12;

/**
 * Rare faults of moves and archives, each with the finding of the judge, the seed of the first history, and
 * the operator's actions in it.
 */
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
    const env = { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' };
    const args = ['test/judge/find-in-histories.ts', String(seed), String(HISTORIES), plan];
    const { stdout } = await trials.withFault(fault, () =>
      promisify(execFile)(process.execPath, args, { cwd: trials.project, env }),
    );
    assert.match(stdout, sentence);
  });
