import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Chance } from '../../judge/history.ts';
import { startService } from '../../judge/processes.ts';
import { runRound } from '../../judge/round.ts';
import { FAULTS } from '../faults/planted-faults.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const PLANT = fileURLToPath(new URL('../faults/plant-module.ts', import.meta.url));
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

for (const [name, sentence, plan] of FOUND) {
  test(`the judge finds the planted fault: ${name}`, async () => {
    const fault = FAULTS.find((one) => one.name === name);
    assert.ok(fault, `there is no fault "${name}"`);
    const { file, from, to } = fault;
    const env = {
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${PLANT}`,
      PLANTED_CHANGE: JSON.stringify({ file, from, to }),
    };
    const folder = temporaryFolder();
    const found: string[] = [];
    try {
      for (let round = 1; round <= ROUNDS && found.length === 0; round++) {
        const driver = await startService({ database: 'sqlite', instances: 2, env });
        try {
          const path = `${folder.path}/${round}.ndjson`;
          const options = {
            driver,
            chance: new Chance(round),
            path,
            name: `r${round}`,
          };
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
