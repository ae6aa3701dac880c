import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed as first } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runHistory } from './histories.ts';

const HISTORIES = inTier({ short: 1, long: 200 });

test(`random histories in simulated time break no rule of the judge (${HISTORIES})`, async (t) => {
  let events = 0;
  for (let seed = first; seed < first + HISTORIES; seed++) {
    const { violations, history, story } = await runHistory(seed);
    assert.deepEqual(violations, [], `the history of seed ${seed}\n${story.slice(-300).join('\n')}`);
    events += history.events.length;
  }
  t.diagnostic(`${events} events`);
});
