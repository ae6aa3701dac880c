import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Chance } from '../../judge/history.ts';
import { startService } from '../../judge/processes.ts';
import { runRound } from '../../judge/round.ts';
import { FAULTS } from '../faults/planted-faults.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const PLANT = fileURLToPath(new URL('../faults/plant-module.ts', import.meta.url));
const IN_PROCESS = fileURLToPath(new URL('./find-in-histories.ts', import.meta.url));
const ROUNDS = 4;
const RESTORE = ['backup', 'restored'];

/** Faults of test/faults, each of another kind, what the judge says of it, and what happens in the round. */
const FOUND: readonly [fault: string, sentence: RegExp, plan: readonly string[]][] = [
  ['a number is left out', /got 5|a number is missing/, ['killed']],
  ['a recording is acknowledged before it is stored', /./, ['killed', 'killed']],
  ['a contradiction is reported as unchanged', /not in the feed as it was sent|no answer/, []],
  ['the key is not stored as it was sent', /one key has recorded two|is refused that nothing/, []],
  ['SQLite: an idempotency key for any account', /is refused that nothing|got 409|as it was sent/, []],
  ['ties in the reverse order', /not in order/, []],
  ['transactions of the time of the last one are skipped', /has lost|an export got 400/, []],
  ['a page begins one transaction too early', /not in order/, []],
  ['the last day is left out', /has lost/, []],
  ['it is found in every account', /expected 404/, []],
  ['it opens for every account', /expected 400/, []],
  [
    'a change that is recorded again has the id of the lost one',
    /the id of one that a restore lost|history_changed/,
    RESTORE,
  ],
  ['a change is added twice', /totals/, []],
  ['a later payment is shown, during recordings', /export|expected 200/, []],
  ['the paidAt of a change is not in its seal', /it is not that of the feed/, []],
];

/** A history can happen to miss a fault, so more follow: one of two to six finds each of these. */
const HISTORIES = 12;

/** Faults of moves and archives, and the seed of the first history in one process. */
const FOUND_IN_PROCESS: readonly [fault: string, sentence: RegExp, seed: number, plan: string][] = [
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

function plantedIn(name: string): { NODE_OPTIONS: string; PLANTED_CHANGE: string } {
  const fault = FAULTS.find((one) => one.name === name);
  assert.ok(fault, `there is no fault "${name}"`);
  const { file, from, to } = fault;
  return {
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${PLANT}`,
    PLANTED_CHANGE: JSON.stringify({ file, from, to }),
  };
}

for (const [name, sentence, seed, plan] of FOUND_IN_PROCESS)
  test(`a history in one process finds the planted fault: ${name}`, async () => {
    const args = [IN_PROCESS, String(seed), String(HISTORIES), plan];
    const env = { ...process.env, ...plantedIn(name) };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    assert.match(stdout, sentence);
  });

for (const [name, sentence, plan] of FOUND) {
  test(`the judge finds the planted fault: ${name}`, async () => {
    const env = plantedIn(name);
    const folder = temporaryFolder();
    const found: string[] = [];
    try {
      for (let round = 1; round <= ROUNDS && found.length === 0; round++) {
        const driver = await startService({ database: 'sqlite', instances: 2, env });
        try {
          const path = `${folder.path}/${round}.ndjson`;
          const options = { driver, chance: new Chance(round), path, name: `r${round}` };
          const { violations } = await runRound({ ...options, plan, eventsBetween: 100 });
          found.push(...violations);
        } finally {
          await driver.close();
        }
      }
    } finally {
      folder.remove();
    }
    assert.match(found.join('\n'), sentence);
  });
}
