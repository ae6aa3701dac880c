import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { Options, Report } from '../../proof/conformance/index.js';
import type { RunOptions, Served, ServeOptions } from '../rig/service/process.ts';
import { createOperatorKey, createWebhookKey, startWebhookService } from '../rig/webhooks/webhook-service.ts';
import { ACCOUNTS, type Row, toJsonLines, transactionsOf } from './account-rows.ts';

/** The keys of two filled accounts and of the operator. */
export type FilledKeys = Required<Pick<Options, 'key' | 'secondKey' | 'operatorKey'>>;

/** Starts the service for the kit. Its webhooks can reach receivers of this machine. */
export const startFilled = (options: ServeOptions): Promise<Served> => startWebhookService(options);

/** Creates a database with two filled accounts. Ends the service that filled it. */
export async function createFilled(
  options: RunOptions,
  rowsOf: (account: string) => Row[] = transactionsOf,
): Promise<FilledKeys> {
  mkdirSync(options.cwd, { recursive: true });
  const operatorKey = await createOperatorKey(options, 'record,keys,read,sessions');
  const served = await startWebhookService(options);
  const response = await fetch(`${served.operatorUrl}/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
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

/** The failed checks, each with its expected and actual value. */
export function failuresOf({ results, stopped }: Report): string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const texts = failed.map(({ id, failure }) => `${id}: expected ${failure?.expected}, got ${failure?.got}`);
  return stopped === undefined ? texts : [...texts, stopped];
}
