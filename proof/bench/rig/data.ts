import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { MIGRATIONS } from '../../../src/db/sqlite/migrate.ts';
import { makeApiKey } from '../../../src/keys/api-key.ts';
import { sealUpTo } from '../../../src/ledger/seals/seals.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { someEntry } from '../../../test/rig/store/audit.ts';
import { importInto } from './import-process.ts';

export const CACHE = fileURLToPath(new URL('../.cache/', import.meta.url));
export const BINARY = fileURLToPath(new URL('../../../bin/transactions.js', import.meta.url));

export const LARGE_ACCOUNT = 'large';
const FIRST_MS = Date.UTC(2020, 0, 1);
const SPACING_MS = 60_000;
const HEADER = 'account,reference,merchantReference,status,amount,currencyCode,paidAt,createdAt';

export interface DataSize {
  largeRows: number;
  smallAccounts: number;
  smallRows: number;
}

export const FULL: DataSize = { largeRows: 1_000_000, smallAccounts: 1000, smallRows: 1000 };
export const QUICK: DataSize = { largeRows: 100_000, smallAccounts: 100, smallRows: 100 };
export const TINY: DataSize = { largeRows: 2000, smallAccounts: 5, smallRows: 50 };

export const rowsOf = ({ largeRows, smallAccounts, smallRows }: DataSize) =>
  largeRows + smallAccounts * smallRows;

export const smallAccount = (index: number) => `account-${index}`;
export const accountsOf = ({ smallAccounts }: DataSize) => [
  LARGE_ACCOUNT,
  ...Array.from({ length: smallAccounts }, (_, index) => smallAccount(index)),
];

/** `index` counts from the oldest row of an account. */
export const positionOf = (index: number) => ({
  createdAtMs: FIRST_MS + index * SPACING_MS,
  reference: `r${String(index).padStart(8, '0')}`,
});

const SHARING_STRIDE = 501;

function merchantReferenceOf(index: number): string {
  const group = Math.floor(index / SHARING_STRIDE);
  if (index % SHARING_STRIDE === 3) return `plan-${Math.floor(group / 100)}`;
  if (index % SHARING_STRIDE === 7) return `subscription-${Math.floor(group / 10_000)}`;
  return `order-${index}`;
}

function csvRow(account: string, index: number): string {
  const { createdAtMs, reference } = positionOf(index);
  const pending = index % 20 === 0;
  const createdAt = new Date(createdAtMs).toISOString();
  return `${account},${reference},${merchantReferenceOf(index)},${pending ? 'pending' : 'completed'},${(index % 9000) + 1}.${String(index % 100).padStart(2, '0')},${index % 10_000 === 77 ? 'USD' : index % 3 === 0 ? 'GBP' : 'EUR'},${pending ? '' : createdAt},${createdAt}\n`;
}

export async function writeCsv(size: DataSize, output: NodeJS.WritableStream): Promise<void> {
  let text = `${HEADER}\n`;
  const put = async (line: string) => {
    text += line;
    if (text.length < 262_144) return;
    if (!output.write(text)) await once(output, 'drain');
    text = '';
  };
  for (let index = 0; index < size.largeRows; index++) await put(csvRow(LARGE_ACCOUNT, index));
  for (let row = 0; row < size.smallRows; row++) {
    for (let account = 0; account < size.smallAccounts; account++) {
      await put(csvRow(smallAccount(account), row));
    }
  }
  output.end(text);
  await finished(output);
}

export async function withCsv<Result>(
  size: DataSize,
  work: (csv: string) => Promise<Result>,
): Promise<Result> {
  mkdirSync(CACHE, { recursive: true });
  const csv = `${CACHE}rows-${process.pid}.csv`;
  await writeCsv(size, createWriteStream(csv));
  try {
    return await work(csv);
  } finally {
    rmSync(csv);
  }
}

export interface Data {
  path: string;
  keys: Record<string, string>;
}

const SCHEMA = MIGRATIONS.map(({ checksum }) => checksum.slice(0, 8)).join('-');

export async function databaseOf(size: DataSize): Promise<Data> {
  mkdirSync(CACHE, { recursive: true });
  const name = `${CACHE}sqlite-${SCHEMA}-${size.largeRows}-${size.smallAccounts}-${size.smallRows}`;
  const keysPath = `${name}.keys.json`;
  if (!existsSync(keysPath)) {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${name}.making.db${ending}`, { force: true });
    await importInto(`sqlite:${name}.making.db`, size);
    await sealAll(`sqlite:${name}.making.db`, accountsOf(size));
    const keys = await makeKeys(`sqlite:${name}.making.db`, accountsOf(size));
    renameSync(`${name}.making.db`, `${name}.db`);
    writeFileSync(keysPath, JSON.stringify(keys));
  }
  return { path: `${name}.db`, keys: JSON.parse(readFileSync(keysPath, 'utf8')) };
}

/** If nothing sealed the imported rows, the service would seal them for minutes during the measurement. */
export async function sealAll(databaseUrl: string, accounts: readonly string[]): Promise<void> {
  const { store } = await openStore(databaseUrl, Date.now);
  const options = { isStopped: () => false, monotonicMs: () => performance.now(), pause: async () => {} };
  for (const account of accounts) await sealUpTo(store, account, {}, options);
  await store.close();
}

export async function makeKeys(databaseUrl: string, accounts: readonly string[]): Promise<Data['keys']> {
  const { store } = await openStore(databaseUrl, Date.now);
  const keys: Data['keys'] = {};
  for (const account of accounts) {
    const { key, stored } = makeApiKey({ account, label: null, expiresAtMs: null }, Date.now(), randomBytes);
    await store.createApiKey(stored, someEntry());
    keys[account] = key;
  }
  await store.close();
  return keys;
}
