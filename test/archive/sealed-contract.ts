import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { readArchivedChanges } from '../../src/cli/verify/kept-seals.ts';
import { BLOCK_CHANGES, DIGEST_CHARACTERS, digestOfChange, formatSeal } from '../../src/ledger/seals/seal.ts';
import { archiveDetail } from '../../src/operate/archive/archive.ts';
import { compareSeals, type KeptSeal, sealFrom } from '../../src/operate/compare-seals.ts';
import { restOf, sealedTextOf } from '../../src/operate/row-up-to.ts';
import { openStore } from '../../src/store/open-store.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { queryDatabase } from '../rig/database/query-database.ts';
import { someInTier } from '../rig/run/tier.ts';
import { archive } from '../rig/store/archive.ts';
import { copyBetween, openReader } from '../rig/store/copy.ts';
import { sealAll } from '../rig/store/seal.ts';
import { verifyDatabase } from '../verify/healthy-database.ts';
import { ACCOUNT, type MakeUrl, type Opened, opened, recordMarch } from './march.ts';

const OF_ACCOUNT = `account = '${ACCOUNT}'`;

async function lineOf({ store }: Opened): Promise<KeptSeal> {
  await sealAll(store, ACCOUNT);
  const found = await store.readArchive(ACCOUNT);
  const floor = found && { floorSequence: found.floorSequence, rest: found.rest };
  return { account: ACCOUNT, ...formatSeal(ACCOUNT, await store.readSeal(ACCOUNT)), ...floor };
}

interface Attacked extends Opened {
  query(sql: string): Promise<Record<string, unknown>[]>;
  leftSequence: number;
}

const alterLeft = ({ query, leftSequence }: Attacked) =>
  query(
    `UPDATE transactions SET paid_at_ms = paid_at_ms + 1 WHERE ${OF_ACCOUNT} AND final_sequence = ${leftSequence}`,
  );

async function adjustTotal({ query, url, leftSequence }: Attacked, removed: 0 | 1): Promise<void> {
  const [row] = await query(
    `SELECT created_at_ms, currency_code, amount_minor FROM transactions WHERE ${OF_ACCOUNT} AND final_sequence = ${leftSequence}`,
  );
  const { created_at_ms: created, currency_code: currency, amount_minor: amount } = row ?? assert.fail();
  const added = removed === 1 ? -Number(amount) : 1;
  const total = `(amount_high * 1000000000 + amount_low + ${added})`;
  const low = `((${total} % 1000000000 + 1000000000) % 1000000000)`;
  const amounts = url.startsWith('sqlite:')
    ? `amount_low = ${low}, amount_high = (${total} - ${low}) / 1000000000`
    : `amount = amount + ${added}`;
  await query(
    `UPDATE daily_totals SET count = count - ${removed}, ${amounts}
     WHERE ${OF_ACCOUNT} AND day = ${Math.floor(Number(created) / 86_400_000)} AND currency_code = '${currency}' AND status = 'completed'`,
  );
}

async function alterAmount(attacked: Attacked): Promise<void> {
  await adjustTotal(attacked, 0);
  await attacked.query(
    `UPDATE transactions SET amount_minor = amount_minor + 1 WHERE ${OF_ACCOUNT} AND final_sequence = ${attacked.leftSequence}`,
  );
}

async function rewriteDigest({ query, url, leftSequence }: Attacked): Promise<void> {
  const reader = await openReader(url);
  const [change] = await reader.readFeed(ACCOUNT, leftSequence - 1, leftSequence);
  await reader.close();
  const digest = digestOfChange(sealedTextOf(ACCOUNT, change ?? assert.fail()));
  const block = `${OF_ACCOUNT} AND sequence = ${Math.ceil(leftSequence / 64) * 64}`;
  const [found] = await query(`SELECT digests FROM seal_blocks WHERE ${block}`);
  const at = ((leftSequence - 1) % 64) * 8;
  const digests = String(found?.['digests']);
  await query(
    `UPDATE seal_blocks SET digests = '${digests.slice(0, at)}${digest}${digests.slice(at + 8)}' WHERE ${block}`,
  );
}

async function rewriteRest({ query, url, store }: Attacked): Promise<void> {
  const reader = await openReader(url);
  const found = (await store.readArchive(ACCOUNT)) ?? assert.fail();
  await query(`UPDATE archives SET rest = '${await restOf(reader, ACCOUNT, found)}' WHERE ${OF_ACCOUNT}`);
  await reader.close();
}

async function removeLeft(attacked: Attacked): Promise<void> {
  await adjustTotal(attacked, 1);
  await attacked.query(
    `DELETE FROM transactions WHERE ${OF_ACCOUNT} AND final_sequence = ${attacked.leftSequence}`,
  );
  await attacked.query(`UPDATE archives SET removed_changes = removed_changes + 1 WHERE ${OF_ACCOUNT}`);
}

async function raiseFloor(attacked: Attacked): Promise<void> {
  const { query, url, store } = attacked;
  const later = (reference: string) =>
    record(store, [transaction(ACCOUNT, reference, { createdAtMs: DAY('2026-03-20') })]);
  await later('later');
  // If the last change completed a block, `digests` below would be empty.
  const head = (await store.readHeads([ACCOUNT])).get(ACCOUNT) ?? assert.fail();
  if (head % BLOCK_CHANGES === 0) await later('last');
  await alterLeft(attacked);
  const reader = await openReader(url);
  const found = (await store.readArchive(ACCOUNT)) ?? assert.fail();
  const sequence = (await store.readHeads([ACCOUNT])).get(ACCOUNT) ?? assert.fail();
  const { floorSequence, floorSeal } = found;
  const { seal } = await sealFrom(
    reader,
    ACCOUNT,
    { sequence: floorSequence, id: null, seal: floorSeal },
    sequence,
  );
  const [last] = await reader.readFeed(ACCOUNT, sequence - 1, sequence);
  const begin = sequence - (sequence % BLOCK_CHANGES);
  const left = await reader.readFeed(ACCOUNT, begin, sequence);
  const changeAt = (at: number) => left.find((one) => one.sequence === at);
  const digests = Array.from({ length: sequence - begin }, (_, at) => changeAt(begin + at + 1)).map((one) =>
    one === undefined ? '.'.repeat(DIGEST_CHARACTERS) : digestOfChange(sealedTextOf(ACCOUNT, one)),
  );
  await reader.close();
  const { nonce } = last ?? assert.fail();
  const detail = JSON.stringify(
    archiveDetail(ACCOUNT, { ...found, floorSequence: sequence, floorNonce: nonce }),
  );
  await query(
    `UPDATE archives SET floor_sequence = ${sequence}, floor_nonce = ${nonce}, floor_seal = '${seal}' WHERE ${OF_ACCOUNT}`,
  );
  await query(
    `UPDATE account_audit SET detail = '${detail}' WHERE ${OF_ACCOUNT} AND action = 'account.archived'`,
  );
  await query(`DELETE FROM seal_blocks WHERE ${OF_ACCOUNT}`);
  await query(
    `UPDATE seals SET sequence = ${sequence}, nonce = ${nonce}, seal = '${seal}', digests = '${digests.join('')}' WHERE ${OF_ACCOUNT}`,
  );
  await rewriteRest(attacked);
}

async function alterFile({ folder }: Attacked): Promise<void> {
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.csv'));
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  writeFileSync(
    `${folder}/${name}`,
    text.replace(/(?<=,completed,-?)\d/, (digit) => (digit === '9' ? '8' : '9')),
  );
}

type Step = (attacked: Attacked) => Promise<unknown>;
type Found = 'verify' | 'against' | 'archives';

const ALL: readonly Found[] = ['verify', 'against', 'archives'];
interface Attack {
  name: string;
  steps: readonly Step[];
  isCopied?: true;
  found: readonly Found[];
}

const ATTACKS: readonly [Attack, ...Attack[]] = [
  { name: 'nothing', steps: [], found: [] },
  { name: 'nothing, in a copy', steps: [], isCopied: true, found: [] },
  { name: 'a value that is left below the floor', steps: [alterLeft], found: ALL },
  { name: 'one with its digest and daily total', steps: [alterAmount, rewriteDigest], found: ALL },
  { name: 'one in a copy, with its daily total', steps: [alterAmount], isCopied: true, found: ALL },
  {
    name: 'one with its digest, its daily total and the digest of the rest',
    steps: [alterAmount, rewriteDigest, rewriteRest],
    found: ['against', 'archives'],
  },
  {
    name: 'one in a copy, with its daily total and the digest of the rest',
    steps: [alterAmount, rewriteRest],
    isCopied: true,
    found: ALL,
  },
  { name: 'a transaction that is removed, with its daily total', steps: [removeLeft], found: ALL },
  {
    name: 'one that is removed with the digest of the rest',
    steps: [removeLeft, rewriteRest],
    found: ['against', 'archives'],
  },
  {
    name: 'a value below a raised floor, with everything that repeats it',
    steps: [raiseFloor],
    found: ['archives'],
  },
  { name: 'a value in the file', steps: [alterFile], found: ['archives'] },
];

async function isFound(t: TestContext, makeUrl: MakeUrl, { steps, isCopied, found }: Attack) {
  const original = await opened(t, makeUrl);
  await recordMarch(original.store, ACCOUNT, 150);
  const earlier = await lineOf(original);
  await archive([ACCOUNT], original);
  const later = await lineOf(original);
  const database = isCopied === true ? await copyOf(t, original, makeUrl) : original;
  const { url } = database;
  const { floorSequence } = (await database.store.readArchive(ACCOUNT)) ?? assert.fail();
  const run = (sql: string) => queryDatabase(url, sql);
  const [row] = await run(
    `SELECT max(final_sequence) AS sequence FROM transactions WHERE ${OF_ACCOUNT} AND pending_sequence IS NULL AND final_sequence < ${Math.min(floorSequence, 64)}`,
  );
  const attacked = { ...database, query: run, leftSequence: Number(row?.['sequence']) };
  for (const step of steps) await step(attacked);

  const reader = await openReader(url);
  const archived = await readArchivedChanges(database.folder);
  const isWrong = ([first]: Awaited<ReturnType<typeof compareSeals>>) =>
    ['altered', 'replaced', 'missing'].includes(first?.[1] ?? '');
  const has: Record<Found, boolean> = {
    verify: (await verifyDatabase(url)).lines.length > 0,
    against: isWrong(await compareSeals(reader, ACCOUNT, [later])),
    archives: isWrong(await compareSeals(reader, ACCOUNT, [earlier], archived)),
  };
  archived.close();
  await reader.close();
  assert.deepEqual(
    ALL.filter((by) => has[by]),
    found,
  );
}

async function copyOf(t: TestContext, { url, folder, beforeMs }: Opened, makeUrl: MakeUrl): Promise<Opened> {
  const target = await makeUrl();
  await (await openStore(target, Date.now)).store.close();
  assert.equal((await copyBetween(url, target)).end, 'equal');
  const { store } = await openStore(target, Date.now);
  t.after(() => store.close());
  await sealAll(store, ACCOUNT);
  return { url: target, store, folder, beforeMs };
}

export function sealedContract(name: string, makeUrl: MakeUrl): void {
  describe(`an archive on ${name} is sealed: alterations are found`, () => {
    const [nothing, ...attacks] = ATTACKS;
    for (const attack of [nothing, ...someInTier(attacks, 3)])
      test(attack.name, (t) => isFound(t, makeUrl, attack));
  });
}
