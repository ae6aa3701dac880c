import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CSV_HEADER, csvLine } from '../rig/data/csv.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { call, run } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const ROWS = inTier({ short: 300, long: 10_000 });
const hasPython = spawnSync('python3', ['--version']).status === 0;
const random = new Random(seed);
const TEXTS = ['', 'order 7', 'Ünïcödé 😀', "O'Neil </b>"];
const lines = Array.from({ length: ROWS }, (_, index) => {
  const line = csvLine({
    reference: `r${index}`,
    merchantReference: random.pick(TEXTS),
    amount: `${random.pick(['', '-'])}${random.integer(1, 99_999)}.${random.integer(10, 99)}`,
  });
  return `${line},${random.pick(index === 0 ? [''] : ['', 'store-1.r0'])}`;
});

async function untilSealed(url: string, key: string, sequence: number): Promise<void> {
  for (let sealed = 0; sealed < sequence; await delay(50)) {
    const response = await call(`${url}/v1/seal`, key);
    sealed = ((await response.json()) as { sequence: number }).sequence;
  }
}

transcript(import.meta.url, {
  commands: {
    sealed: async ([sequence], { env = {} }) => {
      await untilSealed(env['TRANSACTIONS_URL'] ?? '', env['TRANSACTIONS_API_KEY'] ?? '', Number(sequence));
      return undefined;
    },
  },
});

describe('seals', () => {
  const service = importedService(`${[`${CSV_HEADER},relatedTo`, ...lines].join('\n')}\n`);

  test('the program of docs/auditing.md computes the seal from the feed alone', {
    skip: !hasPython && 'python3 is not installed',
  }, async () => {
    await untilSealed(service.url, service.key, ROWS);
    const guide = readFileSync(new URL('../../docs/auditing.md', import.meta.url), 'utf8');
    const program = guide.split('```python\n')[1]?.split('```')[0] ?? '';
    assert.ok(program.split('\n').length <= 41);
    writeFileSync(`${service.folder}/seal.py`, program);
    const env = { ...process.env, TRANSACTIONS_URL: service.url, TRANSACTIONS_API_KEY: service.key };
    const found = spawnSync('python3', [`${service.folder}/seal.py`], { env, encoding: 'utf8' });
    assert.equal(found.status, 0, found.stderr);
    const printed = await run(['seals'], { cwd: service.folder });
    const { account: _, ...kept } = JSON.parse(printed.stdout);
    assert.deepEqual(JSON.parse(found.stdout), kept);
  });
});
