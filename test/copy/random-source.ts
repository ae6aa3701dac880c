import { makeApiKey } from '../../src/keys/api-key.ts';
import { NO_EXPORT_FILTER } from '../../src/ledger/exports/export-filter.ts';
import type { Store } from '../../src/store/store.ts';
import { transaction } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { someEntry } from '../rig/store/audit.ts';
import { RandomRecorder } from '../rig/store/random-recorder.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

const ACCOUNTS = ['store-1', 'store-2'];
const NOW_MS = Date.UTC(2026, 5, 15);
const EXPORTS_KEPT = 5;

/** A database that a service uses: each step changes something that is copied, at random. */
export class RandomSource {
  readonly #store: Store;
  readonly #random: Random;
  readonly #recorder: RandomRecorder;
  readonly #keys: { account: string; id: string }[] = [];
  readonly #webhooks: { account: string; id: string; acknowledged: number }[] = [];
  #count = 0;

  constructor(store: Store, random: Random) {
    this.#store = store;
    this.#random = random;
    this.#recorder = new RandomRecorder(random);
  }

  async step(): Promise<void> {
    const random = this.#random;
    if (random.chance(0.6)) return this.#recorder.record(this.#store, random.integer(1, 20));
    const work = [
      () => this.#createKey(),
      () => this.#endKey(),
      () => this.#useKey(),
      () => this.#recordOnce(),
      () => this.#createWebhook(),
      () => this.#deliver(),
      () => this.#deleteWebhook(),
      () => this.#createExport(),
      () => this.#store.storeCursorSecret(Buffer.from(random.bytes(32)).toString('base64url')),
    ];
    await random.pick(work)();
  }

  #newKey(account: string) {
    const bytes = (length: number) => this.#random.bytes(length);
    const label = this.#random.pick([null, 'till é']);
    return makeApiKey({ account, label, expiresAtMs: this.#random.pick([null, NOW_MS * 2]) }, NOW_MS, bytes)
      .stored;
  }

  async #createKey(): Promise<void> {
    const key = this.#newKey(this.#random.pick(ACCOUNTS));
    await this.#store.createApiKey(key, someEntry());
    this.#keys.push(key);
  }

  async #endKey(): Promise<void> {
    if (this.#keys.length === 0) return;
    const { account, id } = this.#random.pick(this.#keys);
    const nowMs = NOW_MS + ++this.#count;
    if (this.#random.chance(0.5)) await this.#store.revokeApiKey(id, nowMs, someEntry());
    else {
      const created = this.#newKey(account);
      const rolled = await this.#store.rollApiKey(
        { account, id, created, untilMs: nowMs + 1000, nowMs },
        someEntry(),
      );
      if (rolled !== undefined) this.#keys.push(created);
    }
  }

  async #useKey(): Promise<void> {
    if (this.#keys.length === 0) return;
    await this.#store.touchApiKeys([{ ...this.#random.pick(this.#keys), usedAtMs: NOW_MS + ++this.#count }]);
  }

  async #recordOnce(): Promise<void> {
    const name = `once-${++this.#count}`;
    const row = transaction(this.#random.pick(ACCOUNTS), name, { status: 'pending' });
    await this.#store.recordOnce(row, { key: `"${name}" ~!{}`, fingerprint: 'ab'.repeat(32) });
  }

  async #createWebhook(): Promise<void> {
    const account = this.#random.pick(ACCOUNTS);
    const number = ++this.#count;
    await this.#store.createWebhook(webhook(number, { account }), 1000, someEntry());
    this.#webhooks.push({ account, id: idOf(number), acknowledged: 0 });
  }

  async #deliver(): Promise<void> {
    if (this.#webhooks.length === 0) return;
    const one = this.#random.pick(this.#webhooks);
    const heads = await this.#store.readHeads([one.account]);
    const head = heads.get(one.account) ?? 0;
    if (head <= one.acknowledged) return;
    const failed = this.#random.chance(0.5)
      ? [failure(this.#random.integer(one.acknowledged + 1, head))]
      : [];
    await this.#store.storeProgress(
      one.account,
      one.id,
      1,
      progress(head, { after: one.acknowledged, failed }),
    );
    one.acknowledged = head;
  }

  async #deleteWebhook(): Promise<void> {
    const [one] = this.#webhooks.splice(this.#random.integer(0, this.#webhooks.length), 1);
    if (one !== undefined) await this.#store.deleteWebhook(one.account, one.id, someEntry());
  }

  async #createExport(): Promise<void> {
    const account = this.#random.pick(ACCOUNTS);
    const id = `exp_${String(++this.#count).padStart(16, '0')}`;
    await this.#store.createExport(
      {
        id,
        account,
        format: 'csv',
        spreadsheet: false,
        filter: NO_EXPORT_FILTER,
        created: null,
        asOf: 0,
        asOfId: null,
        seal: null,
        totals: [],
        startedAtMs: NOW_MS + this.#count,
        result: null,
      },
      { expiredMs: NOW_MS + this.#count - EXPORTS_KEPT, perAccount: 1000 },
    );
  }
}
