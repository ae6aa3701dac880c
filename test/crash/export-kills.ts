import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { constants, gunzipSync } from 'node:zlib';
import { makeApiKey } from '../../src/keys/api-key.ts';
import type { Export } from '../../src/ledger/exports/export.ts';
import { NO_FILTER } from '../../src/ledger/list/list-filter.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { expectedCsv, expectedNdjson } from '../rig/data/expected-export.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someEntry } from '../rig/store/audit.ts';

interface ExportKillsResult {
  kills: number;
  /** Responses that ended as whole ones before the kill. */
  whole: number;
  /** Responses that the kill cut after their head. */
  cut: number;
  /** Of those, how many had a manifest that is complete: all their rows arrived. */
  cutAfterRows: number;
}

const ACCOUNTS = ['store-1', 'store-2', 'store-3'];
const ROWS_EACH = 2000;
/** A kill comes after so many bytes, from none to about as many as all responses have, */
const MAX_BYTES = 1_750_000;
/** and then a random time, at most this long. */
const MAX_LATER_MS = 5;

type Format = 'csv' | 'ndjson';
type OnBytes = (bytes: number) => void;

interface Received {
  account: string;
  format: Format;
  id: string;
  isWhole: boolean;
  /** Uncompressed. */
  bytes: Buffer;
}

interface Prepared {
  url: string;
  store: Store;
  keys: Map<string, string>;
  expected: Map<string, Buffer>;
}

async function prepare(path: string): Promise<Prepared> {
  const url = `sqlite:${path}/transactions.db`;
  const { store } = await openStore(url, Date.now);
  const keys = new Map<string, string>();
  const expected = new Map<string, Buffer>();
  const random = new Random(1);
  for (const account of ACCOUNTS) {
    const rows = Array.from({ length: ROWS_EACH }, (_, index) =>
      transaction(account, `t${(index * 7919) % ROWS_EACH}`, {
        createdAtMs: 1_770_000_000_000 + random.integer(0, 1_000_000),
        status: random.pick(['pending', 'completed']),
        merchantReference: random.pick([null, 'a "quoted"\r\ntext', 'order-1']),
      }),
    );
    await record(store, rows);
    const listed = expectedList(rows, account, NO_FILTER);
    expected.set(`${account} csv`, Buffer.from(expectedCsv(listed)));
    expected.set(`${account} ndjson`, Buffer.from(expectedNdjson(listed)));
    const made = makeApiKey({ account, label: null, expiresAtMs: null }, Date.now(), (length) =>
      crypto.getRandomValues(new Uint8Array(length)),
    );
    await store.createApiKey(made.stored, someEntry());
    keys.set(account, made.key);
  }
  return { url, store, keys, expected };
}

async function startService(url: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL('./export-service.ts', import.meta.url), [url]);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

/** All that arrives of a response, or undefined if not even its head does. */
async function receive(
  port: number,
  prepared: Prepared,
  request: { account: string; format: Format; isGzipped: boolean; onBytes: OnBytes },
): Promise<Received | undefined> {
  const { account, format, isGzipped, onBytes } = request;
  const sent = get({
    port,
    host: '127.0.0.1',
    agent: false,
    path: `/v1/transactions.${format}`,
    headers: {
      authorization: `Bearer ${prepared.keys.get(account)}`,
      ...(isGzipped && { 'accept-encoding': 'gzip' }),
    },
  });
  const response = await new Promise<IncomingMessage | undefined>((resolve) => {
    sent.once('response', resolve).once('error', () => resolve(undefined));
  });
  if (response === undefined) return undefined;
  if (response.statusCode === 503) {
    // On a busy machine, the service sheds load, or a request takes longer than its time limit.
    response.resume();
    return receive(port, prepared, request);
  }
  assert.equal(response.statusCode, 200);
  const parts: Buffer[] = [];
  response
    .on('error', () => {})
    .on('data', (part: Buffer) => {
      parts.push(part);
      onBytes(part.length);
    });
  await new Promise((resolve) => response.once('close', resolve));
  const bytes = Buffer.concat(parts);
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  const decoded = !isGzipped ? bytes : bytes.length < 10 ? Buffer.alloc(0) : gunzipSync(bytes, options);
  const id = String(response.headers['export-id']);
  return { account, format, id, isWhole: response.complete, bytes: decoded };
}

/** Checks what arrived, and counts it. */
function check(
  received: Received,
  stored: Export | undefined,
  rows: Buffer,
  result: ExportKillsResult,
): void {
  const { bytes, isWhole } = received;
  const arrived = bytes.subarray(0, rows.length);
  assert.ok(stored !== undefined, 'an export whose head arrived is not stored');
  assert.ok(rows.subarray(0, arrived.length).equals(arrived), 'what arrived is not how the export begins');
  const hasAllRows = arrived.length === rows.length;
  if (isWhole) {
    assert.ok(hasAllRows, 'a response that lacks rows ended normally');
    assert.ok(stored.result !== null, 'a response ended before its manifest was complete');
    result.whole++;
  } else result.cut++;
  if (stored.result === null) return;
  assert.ok(hasAllRows, 'the manifest is complete, but rows are missing');
  assert.deepEqual([stored.result.bytes, stored.result.rows], [rows.length, ROWS_EACH]);
  if (!isWhole) result.cutAfterRows++;
  if (received.format === 'ndjson' && isWhole)
    assert.equal(JSON.parse(bytes.subarray(rows.length).toString()).export.state, 'complete');
}

/** Kills a service again and again while it sends several exports. */
async function killOneService(
  takeKill: () => number | null,
  random: Random,
  result: ExportKillsResult,
): Promise<void> {
  const folder = temporaryFolder();
  const prepared = await prepare(folder.path);
  const { url, store, expected } = prepared;
  const rowsOf = ({ account, format }: Pick<Received, 'account' | 'format'>) =>
    expected.get(`${account} ${format}`) as Buffer;
  try {
    while (takeKill() !== null) {
      const { child, port } = await startService(url);
      const exited = once(child, 'exit');
      let missing = random.integer(0, MAX_BYTES);
      const { promise: killTime, resolve: beginKill } = Promise.withResolvers<void>();
      const onBytes: OnBytes = (bytes) => {
        missing -= bytes;
        if (missing <= 0) beginKill();
      };
      const exports = ACCOUNTS.flatMap((account) =>
        (['csv', 'ndjson'] as const).map((format) =>
          receive(port, prepared, { account, format, isGzipped: random.chance(0.2), onBytes }),
        ),
      );
      await Promise.race([killTime, Promise.all(exports)]);
      await delay(random.integer(0, MAX_LATER_MS));
      child.kill('SIGKILL');
      await exited;
      for (const received of await Promise.all(exports)) {
        if (received === undefined) continue;
        check(received, await store.findExport(received.account, received.id), rowsOf(received), result);
      }
      result.kills++;
    }
  } finally {
    await store.close();
    folder.remove();
  }
}

/**
 * Kills services on SQLite at random moments while each sends six exports, with one database for each service.
 *
 * Throws: an AssertionError if a response without all rows ended normally, or its manifest is complete.
 */
export async function runExportKills(kills: number, seed: number, services = 2): Promise<ExportKillsResult> {
  const result: ExportKillsResult = { kills: 0, whole: 0, cut: 0, cutAfterRows: 0 };
  let begun = 0;
  const takeKill = () => (begun < kills ? ++begun : null);
  await Promise.all(
    Array.from({ length: services }, (_, index) =>
      killOneService(takeKill, new Random(seed + index), result),
    ),
  );
  return result;
}
