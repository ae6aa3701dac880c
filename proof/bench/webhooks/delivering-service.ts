import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createWebhook, replayWebhook } from '../../../src/webhooks/manage-webhooks.ts';
import type { WebhookEndpoint } from '../../../src/webhooks/webhook.ts';
import { someStamp } from '../../../test/rig/store/audit.ts';
import { CACHE } from '../rig/data.ts';
import { cpuMs } from '../rig/process-use.ts';
import { makeOperatorKey } from '../rig/recorder.ts';
import { type MeasuredServer, startService } from '../rig/server.ts';

const RECEIVER = fileURLToPath(new URL('./receiver.ts', import.meta.url));
const REACHING = { OPERATOR_PORT: '0', WEBHOOK_HTTP: 'true', WEBHOOK_NETWORKS: '127.0.0.1' };
const CREATED_AT = '2026-06-15T12:00:00.000Z';
const POLL_MS = 20;

/** The cost of deliveries until the expected number had arrived. */
export interface Delivered {
  count: number;
  tookMs: number;
  cpuMs: number;
}

/** A service on SQLite whose accounts have an endpoint each, and their receiver in another process. */
export class DeliveringService {
  readonly #service: MeasuredServer;
  readonly #receiverUrl: string;
  readonly accounts: readonly string[];
  readonly #store: Store;
  readonly #operatorKey: string;
  readonly #receiver: ReturnType<typeof spawn>;
  readonly #folder: string;
  readonly #endpoints: WebhookEndpoint[] = [];
  #recorded = 0;

  private constructor(fields: {
    service: MeasuredServer;
    receiverUrl: string;
    accounts: readonly string[];
    store: Store;
    operatorKey: string;
    receiver: ReturnType<typeof spawn>;
    folder: string;
  }) {
    this.#service = fields.service;
    this.#receiverUrl = fields.receiverUrl;
    this.accounts = fields.accounts;
    this.#store = fields.store;
    this.#operatorKey = fields.operatorKey;
    this.#receiver = fields.receiver;
    this.#folder = fields.folder;
  }

  static async start(endpoints: number): Promise<DeliveringService> {
    mkdirSync(CACHE, { recursive: true });
    const folder = mkdtempSync(`${CACHE}webhooks-`);
    const databaseUrl = `sqlite:${folder}/webhooks.db`;
    const { store } = await openStore(databaseUrl, Date.now);
    const operatorKey = await makeOperatorKey(databaseUrl);
    const receiver = spawn('taskset', ['-c', '1', process.execPath, RECEIVER], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [receiverUrl] = (await once(receiver, 'message')) as [string];
    const service = await startService(databaseUrl, { env: REACHING });
    const accounts = Array.from({ length: endpoints }, (_, index) => `shop-${index}`);
    const started = new DeliveringService({
      service,
      receiverUrl,
      accounts,
      store,
      operatorKey,
      receiver,
      folder,
    });
    for (const account of accounts) await started.#addAccount(account);
    return started;
  }

  /** Records changes for each account, in one batch. */
  async record(changesEach: number): Promise<void> {
    const lines: string[] = [];
    for (let count = 0; count < changesEach; count++) {
      const reference = `pay-${this.#recorded++}`;
      for (const account of this.accounts)
        lines.push(
          JSON.stringify({
            account,
            reference,
            status: 'pending',
            amount: '12.50',
            currencyCode: 'EUR',
            createdAt: CREATED_AT,
          }),
        );
    }
    const response = await fetch(`${this.#service.operatorUrl}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#operatorKey}`, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    const recorded = (await response.text()).match(/"outcome":"recorded"/g)?.length;
    if (recorded !== lines.length) throw new Error(`${recorded} of ${lines.length} were recorded`);
  }

  /**
   * The last changes of each account are delivered again. The service notices it within two seconds. Returns
   * how many there are.
   */
  async replay(changesEach: number): Promise<number> {
    const management = { store: this.#store, now: Date.now, randomBytes, stamp: () => someStamp() };
    const after = this.#recorded - changesEach;
    for (const { account, id } of this.#endpoints) {
      await this.#acknowledged(account, id, after);
      await replayWebhook(management, account, id, after);
    }
    return changesEach * this.#endpoints.length;
  }

  /** The service stores what receivers accept up to a second later, and refuses a replay from beyond that. */
  async #acknowledged(account: string, id: string, sequence: number): Promise<void> {
    const until = performance.now() + 30_000;
    for (;;) {
      const stored = await this.#store.findWebhook(account, id);
      if (stored !== undefined && stored.acknowledgedSequence >= sequence) return;
      if (performance.now() > until)
        throw new Error(`endpoint ${id} is at ${stored?.acknowledgedSequence}, not ${sequence}`);
      await delay(POLL_MS);
    }
  }

  /** How many deliveries were accepted since this was called the last time. */
  async #accepted(): Promise<number> {
    const answered = once(this.#receiver, 'message');
    this.#receiver.send('count');
    return (await answered)[0] as number;
  }

  /** Runs work, and waits until a number of deliveries was accepted. */
  async delivered(count: number, work: () => Promise<void> = async () => {}): Promise<Delivered> {
    const startedAtMs = performance.now();
    const startedCpuMs = cpuMs(this.#service.pid);
    await work();
    let accepted = 0;
    while (accepted < count) {
      await delay(POLL_MS);
      accepted += await this.#accepted();
    }
    return {
      count: accepted,
      tookMs: performance.now() - startedAtMs,
      cpuMs: cpuMs(this.#service.pid) - startedCpuMs,
    };
  }

  async stop(): Promise<void> {
    await this.#service.stop();
    await this.#store.close();
    const exited = once(this.#receiver, 'exit');
    this.#receiver.kill();
    await exited;
    rmSync(this.#folder, { recursive: true });
  }

  async #addAccount(account: string): Promise<void> {
    const management = { store: this.#store, now: Date.now, randomBytes, stamp: () => someStamp() };
    const fields = {
      url: this.#receiverUrl,
      types: null,
      label: null,
      ordered: false,
      signing: 'v1' as const,
    };
    const { created } = await createWebhook(management, account, fields);
    this.#endpoints.push(created);
  }
}
