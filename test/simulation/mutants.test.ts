import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MUTANTS } from './mutants.ts';
import { simulate } from './simulate.ts';

const MAX_SEEDS = 1000;

for (const [name, tamper] of Object.entries(MUTANTS)) {
  test(`the simulation notices that ${name}`, async (t) => {
    for (let seed = 1; seed <= MAX_SEEDS; seed++) {
      const { violation, history } = await simulate(seed, tamper);
      if (violation === undefined) continue;
      t.diagnostic(`seed ${seed}: ${violation.message.split('\n')[0]}`);
      assert.match(history.at(-1) ?? '', /VIOLATION/);
      return;
    }
    assert.fail(`not noticed in ${MAX_SEEDS} seeds`);
  });
}
