import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { faultsPart } from '../long/faults-part.ts';
import { SERVER_VARIABLE } from '../rig/global-setup.ts';
import { postgresUrl } from '../rig/postgres.ts';
import { Random } from '../rig/random.ts';
import { seed } from '../rig/seed.ts';
import type { PlantedFault } from './planted-fault.ts';
import { ProjectCopy } from './project-copy.ts';
import { STATEMENTS } from './promises/isolation.ts';

/** Another with each commit. The part of the long tier plants every fault of the table. */
const FAULTS_OF_COMMIT = 1;

const HARMLESS: PlantedFault = {
  name: 'nothing',
  file: 'src/values/amount.ts',
  from: 'export const MAX_AMOUNT_MINOR',
  to: '// The largest amount.\nexport const MAX_AMOUNT_MINOR',
  foundBy: { file: 'src/values/amount.test.ts', test: 'negative zero is zero' },
};

describe('a fault that is planted in a copy of the project', () => {
  let copy: ProjectCopy;
  before(async () => {
    // One server for all copies.
    process.env[SERVER_VARIABLE] = await postgresUrl();
    copy = new ProjectCopy();
  });
  after(() => copy.remove());

  const random = new Random(seed);
  for (const fault of Array.from({ length: FAULTS_OF_COMMIT }, () => random.pick(STATEMENTS)))
    test(`is found by the responsible test: ${fault.name}`, async () => {
      const { isFound, output } = await copy.plant(fault);
      assert.ok(isFound, output);
    });

  test('is not found if it breaks nothing, if its test does not exist, or if the copy does not load', async () => {
    const { file } = HARMLESS.foundBy;
    for (const unfound of [
      HARMLESS,
      { ...HARMLESS, foundBy: { file, test: 'there is no such test' } },
      { ...HARMLESS, to: 'export const' },
    ])
      assert.equal((await copy.plant(unfound)).isFound, false);
  });

  test('is removed afterwards: the test passes in the copy again', async () => {
    const fault = { ...HARMLESS, from: 'negative && minor !== 0 ?', to: 'negative ?' };
    assert.ok((await copy.plant(fault)).isFound);
    assert.ok((await copy.passes(fault.foundBy)).isPassed);
  });
});

test('the part of planted faults is broken by one that is not found', async () => {
  const limits = { first: 1, count: 1, endsAtMs: Number.POSITIVE_INFINITY };
  const { counts, broken } = await faultsPart([HARMLESS]).run(limits);
  assert.deepEqual([counts['planted faults'], broken], [1, '1']);
});
