import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { faultsPart } from '../long/faults-part.ts';
import { postgresUrl } from '../rig/database/postgres.ts';
import { SERVER_VARIABLE } from '../rig/run/global-setup.ts';
import { someInTier } from '../rig/run/tier.ts';
import { FaultTrials } from './fault-trials.ts';
import { FAULTS, type PlantedFault } from './planted-faults.ts';

const HARMLESS: PlantedFault = {
  name: 'nothing',
  file: 'values/amount.ts',
  from: 'export const MAX_AMOUNT_MINOR',
  to: '// The largest amount.\nexport const MAX_AMOUNT_MINOR',
  checks: [],
  test: 'values/amount.test.ts',
  error: undefined,
};
const FOR_THE_KIT = { ...HARMLESS, checks: ['list.envelope.status'] };

describe('a planted fault', () => {
  let trials: FaultTrials;
  before(async () => {
    // One server for all copies.
    process.env[SERVER_VARIABLE] = await postgresUrl();
    trials = new FaultTrials();
  });
  after(() => trials.remove());

  const forTheKit = FAULTS.filter(({ checks }) => checks.length > 0);
  for (const fault of someInTier(forTheKit, 1))
    test(`is found by the responsible checks: ${fault.name}`, async () => {
      const { isFound, output } = await trials.plant(fault);
      assert.ok(isFound, output);
    });

  test('is not found if it breaks nothing, if its test does not exist, or if the copy does not load', async () => {
    for (const unfound of [
      HARMLESS,
      FOR_THE_KIT,
      { ...HARMLESS, test: 'values/no-such.test.ts' },
      { ...HARMLESS, to: 'export const' },
    ])
      assert.equal((await trials.plant(unfound)).isFound, false);
    await assert.rejects(trials.plant({ ...FOR_THE_KIT, to: 'export const' }), /serve ended with 1/);
  });

  test('is removed afterwards: the test passes in the copy again', async () => {
    const fault = { ...HARMLESS, from: 'negative && minor !== 0 ?', to: 'negative ?' };
    assert.ok((await trials.plant(fault)).isFound);
    assert.equal(await trials.whyFailing(fault), undefined);
  });
});

test('the part of planted faults is broken by one that is not found', async () => {
  const run = faultsPart([HARMLESS]).run({ first: 1, endsAtMs: Number.POSITIVE_INFINITY });
  await assert.rejects(run, /1 of 1 planted faults are not found/);
});
