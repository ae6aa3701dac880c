import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { CommandFailed } from '../../values/failure.ts';
import { SCOPES, type Scope } from '../../values/scopes.ts';
import { explainFileError } from '../../values/terminal/file-error.ts';
import { printResult } from '../../values/terminal/output.ts';
import { isPacked } from '../http/files/built-files.ts';
import { makeApiKey } from '../keys/api-key.ts';
import { keyCreated } from '../keys/keys.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import { createLogger } from '../service/logger.ts';
import { secureRandomBytes } from '../service/random-bytes.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { commandStamp } from './command-stamp.ts';
import { demoSamples, SAMPLES, SAMPLES_A_DAY, sample } from './demo-samples.ts';
import { loadConfig, withNewStore } from './with-store.ts';

const ACCOUNT = 'demo';
const PAYMENT_INTERVAL_MS = 3000;
const LIVE = `A payment is recorded every ${PAYMENT_INTERVAL_MS / 1000} seconds, and the one before is completed.`;

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a temporary database of sample transactions, and print a key to try it')
    .option('--live', 'also record a payment every few seconds')
    .action(async ({ live = false }: { live?: boolean }) => {
      const { runService } = await import('../service/run-service.ts');
      const config = loadConfig({ defaults: { LOG_LEVEL: 'warn', OPERATOR_PORT: '0' } });
      const folder = makeTemporaryFolder();
      try {
        const databaseUrl = `sqlite:${join(folder, 'transactions.db')}`;
        await recordSamples(databaseUrl);
        await withNewStore({ ...config, databaseUrl, databaseReplicaUrls: [] }, async ({ store }) => {
          const key = await makeKey(store, ACCOUNT, SCOPES.account);
          const operatorKey = await makeKey(store, OPERATOR_ACCOUNT, SCOPES.operator);
          const recording = live ? setInterval(() => recordNext(store), PAYMENT_INTERVAL_MS) : undefined;
          await runService({ ...config, databaseUrl }, store, createLogger(config.logLevel), {
            onListening: ({ url, operatorUrl }) => {
              printResult(...welcome(url, key));
              if (operatorUrl !== null) printResult(...welcomeOperator(operatorUrl, operatorKey));
              if (live) printResult('', LIVE);
            },
          }).finally(() => clearInterval(recording));
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
}

async function recordSamples(databaseUrl: string): Promise<void> {
  const samples = demoSamples(ACCOUNT, Date.now());
  let nowMs = 0;
  const { store } = await openStore(databaseUrl, () => nowMs, { writesRarely: true });
  for (let first = 0; first < samples.length; first += SAMPLES_A_DAY) {
    const ofDay = samples.slice(first, first + SAMPLES_A_DAY);
    nowMs = Math.max(...ofDay.map(({ createdAtMs, paidAtMs }) => paidAtMs ?? createdAtMs));
    await store.record(ofDay);
  }
  await store.close();
}

function makeTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'transactions-demo-'));
  } catch (error) {
    throw new CommandFailed(`The temporary folder ${tmpdir()} can't be used: ${explainFileError(error)}`);
  }
}

function welcome(url: string, key: string): string[] {
  const header = `-H 'Authorization: Bearer ${key}'`;
  const command = `TRANSACTIONS_API_KEY=${key} ${isPacked ? '' : 'npx --no-install '}transactions`;
  return `Sample transactions of the account ${ACCOUNT} are served at ${url} until you press Ctrl+C.
Open ${url}/ in a browser and sign in with the key ${key}, or try in another terminal:

A page of the list
  curl ${header} '${url}/v1/transactions?status=completed'
The last changes of the change feed
  curl ${header} '${url}/v1/changes?after=${SAMPLES - 2}'
All transactions as one verified file
  ${command} export --csv --output transactions.csv --url ${url}
Signed webhooks to a receiver that listens on port 8080 of this machine
  ${command} webhooks listen --forward-to http://127.0.0.1:8080/ --after ${SAMPLES - 2} --url ${url}

Guides are at ${url}/guides, and every request is described at ${url}/docs.`.split('\n');
}

function welcomeOperator(url: string, key: string): string[] {
  return `
Guides for operators are at ${url}/guides, on the operator's interface, which records payments.

The accounts
  curl -H 'Authorization: Bearer ${key}' '${url}/v1/accounts'`.split('\n');
}

async function makeKey(store: Store, account: string, scopes: readonly Scope[]): Promise<string> {
  const { key, stored } = makeApiKey(
    { account, label: 'demo', expiresAtMs: null, scopes },
    Date.now(),
    secureRandomBytes,
  );
  await store.createApiKey(stored, keyCreated(stored, commandStamp()));
  return key;
}

function recordNext(store: Store): void {
  const nowMs = Date.now();
  const number = Math.floor(nowMs / PAYMENT_INTERVAL_MS);
  const payment = (at: number, status: string): AccountTransaction => {
    const createdAtMs = at * PAYMENT_INTERVAL_MS;
    const paidAtMs = status === 'pending' ? null : createdAtMs + 1000;
    const names = { reference: `live_${at}`, merchantReference: `order-${at}` };
    return { ...sample(ACCOUNT, 1 + (at % 19), nowMs), ...names, status, createdAtMs, paidAtMs };
  };
  store.record([payment(number - 1, 'completed'), payment(number, 'pending')]).catch(() => {});
}
