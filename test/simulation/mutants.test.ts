import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someInTier } from '../rig/run/tier.ts';
import { FEED_MUTANTS } from './feed-mutants.ts';
import { MUTANTS } from './mutants.ts';
import { simulate, type Tampering } from './simulate.ts';
import { TOTALS_MUTANTS } from './totals-mutants.ts';

const MAX_SEEDS = 1000;

const STORES = Object.entries(MUTANTS).map(([name, tamper]): [string, Tampering] => [name, { tamper }]);

const INTERFACES = Object.entries({ ...FEED_MUTANTS, ...TOTALS_MUTANTS });

for (const [name, tampering] of someInTier([...STORES, ...INTERFACES], 12)) {
  test(`the simulation notices that ${name}`, async (t) => {
    for (let seed = 1; seed <= MAX_SEEDS; seed++) {
      const { violation, history } = await simulate(seed, tampering);
      if (violation === undefined) continue;
      t.diagnostic(`seed ${seed}: ${violation.message.split('\n')[0]}`);
      assert.match(history.at(-1) ?? '', /VIOLATION/);
      return;
    }
    assert.fail(`not noticed in ${MAX_SEEDS} seeds`);
  });
}
