import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { expectedRows, sampleCsv } from '../rig/csv.ts';
import { tagged } from '../rig/isolation.ts';
import { createKey, run, startServe, walkList } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

const KILLS = 6;
const ROWS = 3000;

const operatorUrlOf = (logged: string): string => {
  const line = logged.split('\n').find((one) => one.includes("listening for the operator's interface"));
  return JSON.parse(line as string).url;
};

/** The lines of a CSV without quotes as objects, nulls for empty fields. */
function objectsOf(csv: string): Record<string, string | null>[] {
  const [header = '', ...lines] = csv.trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((field, at) => [names[at] as string, field || null])),
  );
}

/** Each as pending first, then as it is: what a platform sends while payments happen. */
function factsOf(csv: string): Record<string, string | null>[] {
  const rows = objectsOf(csv);
  return [...rows.map((row) => ({ ...row, status: 'pending', paidAt: null })), ...rows];
}

test(`a stream that is cut by ${KILLS} kills of the service, and sent again each time, records exactly itself`, async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const options = { cwd: folder.path, env: { OPERATOR_PORT: '0' } };
  const csv = sampleCsv(ROWS);
  const made = await run(['keys', 'create', '--operator', '--json'], options);
  const { key: operatorKey } = JSON.parse(made.stdout);
  const pending = factsOf(csv).slice(0, ROWS);
  const paid = objectsOf(csv);

  const send = async (facts: readonly object[], killAfterMs?: number) => {
    const served = await startServe(options);
    const timer = killAfterMs && setTimeout(() => served.child.kill('SIGKILL'), killAfterMs);
    let answered: string[] = [];
    try {
      const response = await fetch(`${operatorUrlOf(served.logged())}/v1/transactions/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
        body: facts.map((fact) => JSON.stringify(fact)).join('\n'),
      });
      answered = (await response.text()).trim().split('\n');
    } catch {
      // Killed in the middle: what was answered is looked at below, by what is there.
    }
    clearTimeout(timer);
    return {
      served,
      outcomes: answered.filter((line) => line !== '').map((line) => JSON.parse(line).outcome),
    };
  };

  for (let kill = 0; kill < KILLS; kill++) {
    const { served } = await send(kill % 2 === 0 ? pending : pending.slice(0, ROWS / 2), randomInt(5, 250));
    await served.stop('SIGKILL');
  }
  const first = await send(pending);
  assert.equal(first.outcomes.length, ROWS);
  assert.ok(first.outcomes.every((outcome) => outcome === 'recorded' || outcome === 'unchanged'));
  await first.served.stop();

  const { served, outcomes } = await send(paid);
  t.after(() => served.stop());
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  const stayPending = paid.filter(({ status }) => status === 'pending').length;
  assert.deepEqual([count('changed'), count('unchanged')], [ROWS - stayPending, stayPending]);
  for (const account of ['store-1', 'store-2']) {
    const rows = await walkList(served.url, await createKey(account, options));
    assert.deepEqual(rows, expectedRows(csv, account));
  }
});

test('single recordings are answered for, whatever kills the service: none of them is gone', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const options = { cwd: folder.path, env: { OPERATOR_PORT: '0' } };
  const made = await run(['keys', 'create', '--operator', '--json'], options);
  const { key: operatorKey } = JSON.parse(made.stdout);
  const acknowledged = new Set<string>();

  for (let round = 0; round < 3; round++) {
    const served = await startServe(options);
    const operatorUrl = operatorUrlOf(served.logged());
    let alive = true;
    setTimeout(() => served.child.kill('SIGKILL'), randomInt(150, 500));
    const record = async (reference: string) => {
      const response = await fetch(`${operatorUrl}/v1/accounts/store-1/transactions/${reference}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          status: 'pending',
          amount: '1.00',
          currencyCode: 'EUR',
          createdAt: '2026-03-01T10:00:00.000Z',
        }),
      });
      if (response.status === 201) acknowledged.add(reference);
    };
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let index = 0; alive; index++) {
          await record(tagged('store-1', `r${round}-${worker}-${index}`)).catch(() => {
            alive = false;
          });
        }
      }),
    );
    await served.stop('SIGKILL');
  }
  const served = await startServe(options);
  t.after(() => served.stop());
  const kept = new Set(
    (await walkList(served.url, await createKey('store-1', options))).map(({ reference }) => reference),
  );
  assert.ok(acknowledged.size > 20, `only ${acknowledged.size} were acknowledged`);
  for (const reference of acknowledged) assert.ok(kept.has(reference), `${reference} is gone`);
});
