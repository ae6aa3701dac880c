import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../../src/store/open-store.ts';
import { createWebhook, replayWebhook } from '../../../src/webhooks/manage-webhooks.ts';
import { someStamp } from '../../../test/rig/store/audit.ts';
import { CACHE } from '../rig/data.ts';
import { cpuMs } from '../rig/process-use.ts';
import { makeOperatorKey } from '../rig/recorder.ts';
import { startService } from '../rig/server.ts';

const RECEIVER = fileURLToPath(new URL('./receiver.ts', import.meta.url));
const REACHING = { OPERATOR_PORT: '0', WEBHOOK_HTTP: 'true', WEBHOOK_NETWORKS: '127.0.0.1' };
const PENDING = {
  status: 'pending',
  amount: '12.50',
  currencyCode: 'EUR',
  createdAt: '2026-06-15T12:00:00.000Z',
};
const POLL_MS = 20;

/** The cost of deliveries until the expected number had arrived. */
export interface Delivered {
  count: number;
  tookMs: number;
  cpuMs: number;
}

async function open(endpoints: number) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${CACHE}webhooks-`);
  const databaseUrl = `sqlite:${folder}/webhooks.db`;
  const { store } = await openStore(databaseUrl, Date.now);
  const operatorKey = await makeOperatorKey(databaseUrl);
  const receiver = spawn('taskset', ['-c', '1', process.execPath, RECEIVER], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [url] = (await once(receiver, 'message')) as [string];
  const service = await startService(databaseUrl, { env: REACHING });
  const management = { store, now: Date.now, randomBytes, stamp: () => someStamp() };
  const fields = { url, types: null, label: null, ordered: false, signing: 'v1' as const };
  const accounts = Array.from({ length: endpoints }, (_, index) => `shop-${index}`);
  const ids = new Map<string, string>();
  for (const account of accounts)
    ids.set(account, (await createWebhook(management, account, fields)).created.id);
  return { folder, store, operatorKey, receiver, service, management, ids };
}

/** A service on SQLite whose accounts have an endpoint each, and their receiver in another process. */
export class DeliveringService {
  readonly #parts: Awaited<ReturnType<typeof open>>;
  #recorded = 0;

  private constructor(parts: Awaited<ReturnType<typeof open>>) {
    this.#parts = parts;
  }

  static async start(endpoints: number): Promise<DeliveringService> {
    return new DeliveringService(await open(endpoints));
  }

  /** Records changes for each account, in one batch. */
  async record(changesEach: number): Promise<void> {
    const { service, operatorKey, ids } = this.#parts;
    const lines: string[] = [];
    for (let count = 0; count < changesEach; count++) {
      const row = { ...PENDING, reference: `pay-${this.#recorded++}` };
      for (const account of ids.keys()) lines.push(JSON.stringify({ account, ...row }));
    }
    const response = await fetch(`${service.operatorUrl}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    const done = (await response.text()).match(/"outcome":"recorded"/g)?.length;
    if (done !== lines.length) throw new Error(`${done} of ${lines.length} were recorded`);
  }

  /** The service stores what receivers accept up to a second later, and refuses a replay from beyond that. */
  async #acknowledged(account: string, id: string, sequence: number): Promise<void> {
    const { store } = this.#parts;
    const until = performance.now() + 30_000;
    for (;;) {
      const stored = await store.findWebhook(account, id);
      if (stored !== undefined && stored.acknowledgedSequence >= sequence) return;
      if (performance.now() > until)
        throw new Error(`endpoint ${id} is at ${stored?.acknowledgedSequence}, not ${sequence}`);
      await delay(POLL_MS);
    }
  }

  /**
   * The last changes of each account are delivered again. The service notices it within two seconds. Returns
   * how many there are.
   */
  async replay(changesEach: number): Promise<number> {
    const { management, ids } = this.#parts;
    const after = this.#recorded - changesEach;
    for (const [account, id] of ids) {
      await this.#acknowledged(account, id, after);
      await replayWebhook(management, account, id, after);
    }
    return changesEach * ids.size;
  }

  /** Runs work, and waits until a number of deliveries was accepted. */
  async delivered(count: number, work: () => Promise<void> = async () => {}): Promise<Delivered> {
    const { service, receiver } = this.#parts;
    const startedAtMs = performance.now();
    const startedCpuMs = cpuMs(service.pid);
    await work();
    let accepted = 0;
    while (accepted < count) {
      await delay(POLL_MS);
      const answered = once(receiver, 'message');
      receiver.send('count');
      accepted += (await answered)[0] as number;
    }
    return {
      count: accepted,
      tookMs: performance.now() - startedAtMs,
      cpuMs: cpuMs(service.pid) - startedCpuMs,
    };
  }

  async stop(): Promise<void> {
    const { service, store, receiver, folder } = this.#parts;
    await service.stop();
    await store.close();
    const exited = once(receiver, 'exit');
    receiver.kill();
    await exited;
    rmSync(folder, { recursive: true });
  }
}
