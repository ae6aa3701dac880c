import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Options, type Report, runConformance } from '../../proof/conformance/index.js';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, type RunOptions, startServe } from '../rig/service/process.ts';
import {
  createOperatorKey,
  createWebhookKey,
  REACHING,
  startWebhookService,
} from '../rig/webhooks/webhook-service.ts';
import { ACCOUNTS, type Row, toJsonLines, transactionsOf } from './account-rows.ts';

export type FilledKeys = Required<Pick<Options, 'key' | 'secondKey' | 'operatorKey'>>;

export async function createFilled(options: RunOptions, rowsOf: (account: string) => Row[] = transactionsOf) {
  mkdirSync(options.cwd, { recursive: true });
  const operatorKey = await createOperatorKey(options, 'record,keys,read,sessions');
  const served = await startWebhookService(options);
  const response = await call(`${served.operatorUrl}/v1/batch`, operatorKey, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: ACCOUNTS.map((account) => toJsonLines(account, rowsOf(account))).join(''),
  });
  const outcomes = (await response.text()).trim().split('\n');
  assert.deepEqual(
    outcomes.filter((outcome) => !outcome.includes('"recorded"')),
    [],
  );
  const [key = '', secondKey = ''] = await Promise.all(
    ACCOUNTS.map((account) => createWebhookKey(served, operatorKey, account)),
  );
  await served.stop();
  return { key, secondKey, operatorKey };
}

/** If `servingUrl` is given, the kit checks `serving`, which opens the filled database by this URL. */
export async function serveFilled(
  t: TestContext,
  env: Record<string, string> = {},
  rowsOf?: (account: string) => Row[],
  fillingEnv = env,
  servingUrl?: () => Promise<string>,
) {
  const { path: cwd } = temporaryFolder(t);
  const database = { DATABASE_URL: 'sqlite:conformance.db' };
  const { operatorKey, ...keys } = await createFilled({ cwd, env: { ...database, ...fillingEnv } }, rowsOf);
  // The first process delivers webhooks, and the kit checks `serving`, so `serving` must start first.
  const serving =
    servingUrl && (await startServe({ cwd, env: { ...REACHING, DATABASE_URL: await servingUrl() } }, t));
  const served = await startWebhookService({ cwd, env: { ...database, ...env } }, t);
  const { operatorUrl } = served;
  const { url, logged } = serving ?? served;
  const read = (more: Partial<Options>) => runConformance({ url, ...keys, ...more });
  const run = (more: Partial<Options>) => read({ operatorUrl, operatorKey, ...more });
  return { served, operatorKey, run, read, logged };
}

export function failuresOf({ results, stopped }: Report): string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const texts = failed.map(({ id, failure }) => `${id}: expected ${failure?.expected}, got ${failure?.got}`);
  return stopped === undefined ? texts : [...texts, stopped];
}
