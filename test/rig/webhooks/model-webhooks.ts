import type { MovedAccounts } from '../../../src/ledger/changes/changes.ts';
import type {
  DeliverableEndpoint,
  DeliverableQuery,
  Lease,
  LeaseRequest,
  ListedWebhook,
  WebhookEndpoint,
  WebhookFailure,
  WebhookProgress,
} from '../../../src/webhooks/webhook.ts';

const OTHER_RULES_MS = 30_000;

interface Row {
  endpoint: WebhookEndpoint;
  failures: Map<number, WebhookFailure>;
}

type HasChange = (account: string, sequence: number, nonce: number) => boolean;

export class ModelWebhooks {
  readonly rows = new Map<string, Row>();
  readonly #nowMs: () => number;
  readonly #hasChange: HasChange;
  #lease: { instance: string; rules: string; untilMs: number } | undefined;
  readonly #lastMoves = new Map<string, number>();
  #moves = 0;
  #states = 0;
  writes = 0;

  constructor(nowMs: () => number, hasChange: HasChange) {
    this.#nowMs = nowMs;
    this.#hasChange = hasChange;
  }

  createWebhook(created: WebhookEndpoint, limit: number): boolean {
    if (this.listWebhooks(created.account).length >= limit) return false;
    this.rows.set(created.id, { endpoint: { ...created }, failures: new Map() });
    this.move(created.account);
    return true;
  }

  listWebhooks(account: string): ListedWebhook[] {
    return [...this.rows.values()]
      .filter(({ endpoint }) => endpoint.account === account)
      .map(({ endpoint, failures }) => ({ ...endpoint, failureCount: failures.size }));
  }

  findWebhook(account: string, id: string): ListedWebhook | undefined {
    return this.listWebhooks(account).find((one) => one.id === id);
  }

  replaceWebhook(replaced: WebhookEndpoint, by: 'change' | 'replay'): boolean {
    const row = this.#row(replaced.account, replaced.id);
    if (row === undefined || row.endpoint.version !== replaced.version - 1) return false;
    const { acknowledgedSequence, replayVersion, disabled } = row.endpoint;
    const isEnabled = disabled !== null && replaced.disabled === null;
    const failingSinceMs = isEnabled ? null : row.endpoint.failingSinceMs;
    row.endpoint =
      by === 'replay'
        ? { ...replaced, failingSinceMs, replayVersion: replaced.version }
        : { ...replaced, failingSinceMs, replayVersion, acknowledgedSequence };
    for (const sequence of row.failures.keys())
      if (by === 'replay' && sequence > replaced.acknowledgedSequence) row.failures.delete(sequence);
    this.move(replaced.account);
    return true;
  }

  listWebhookFailures(account: string, id: string, after: number, limit: number): WebhookFailure[] {
    return [...(this.#row(account, id)?.failures.values() ?? [])]
      .filter(({ sequence }) => sequence > after)
      .sort((one, other) => one.sequence - other.sequence)
      .slice(0, limit);
  }

  retryWebhookFailure(account: string, id: string, sequence: number, nowMs: number): boolean {
    const row = this.#row(account, id);
    const failure = row?.failures.get(sequence);
    if (row === undefined || failure === undefined) return false;
    row.failures.set(sequence, { ...failure, nextAttemptAtMs: nowMs });
    row.endpoint = { ...row.endpoint, version: row.endpoint.version + 1 };
    this.move(account);
    return true;
  }

  leaseWebhooks({ instance, rules, leaseMs }: LeaseRequest): Lease {
    const nowMs = this.#nowMs();
    const last = this.#lease ?? { instance, rules, untilMs: 0 };
    const freeMs = last.rules === rules ? last.untilMs : last.untilMs + OTHER_RULES_MS;
    if (last.instance === instance || freeMs <= nowMs)
      this.#lease = { instance, rules, untilMs: nowMs + leaseMs };
    const lease = this.#lease ?? last;
    return { isHeld: lease.instance === instance, rules: lease.rules };
  }

  listDeliverable(part: DeliverableQuery, isOfNode = (_account: string) => true): DeliverableEndpoint[] {
    const placeOf = ({ account, id }: { account: string; id: string }) => `${account.padEnd(64, '\0')}${id}`;
    const after = 'accounts' in part || part.after === null ? '' : placeOf(part.after);
    const isOfPart = (endpoint: WebhookEndpoint) =>
      'accounts' in part ? part.accounts.includes(endpoint.account) : placeOf(endpoint) > after;
    return [...this.rows.values()]
      .filter(({ endpoint }) => endpoint.disabled === null && isOfPart(endpoint))
      .filter(({ endpoint }) => isOfNode(endpoint.account))
      .sort((a, b) => (placeOf(a.endpoint) < placeOf(b.endpoint) ? -1 : 1))
      .slice(0, 'limit' in part ? part.limit : undefined)
      .map(({ endpoint, failures }) => ({ ...endpoint, hasFailures: failures.size > 0, isWatched: true }));
  }

  move(account: string): void {
    this.#lastMoves.set(account, ++this.#moves);
  }

  forgetMarks(): void {
    this.#states++;
  }

  listMovedAccounts(mark: string | null): MovedAccounts {
    const [state, moves] = (mark ?? '').split(' ').map(Number);
    const moved = [...this.#lastMoves].filter(([, move]) => move > (moves as number));
    return {
      mark: `${this.#states} ${this.#moves}`,
      accounts: mark === null || state !== this.#states ? null : moved.map(([account]) => account),
    };
  }

  storeProgress(account: string, id: string, version: number, progress: WebhookProgress): boolean {
    const row = this.#row(account, id);
    if (row === undefined || row.endpoint.replayVersion > version) return false;
    if (row.endpoint.acknowledgedSequence < progress.after) return false;
    const { acknowledgedSequence, nonce, failingSinceMs, isQuick, failed, delivered } = progress;
    if (nonce !== null && !this.#hasChange(account, acknowledgedSequence, nonce)) return false;
    this.writes++;
    row.endpoint = {
      ...row.endpoint,
      acknowledgedSequence: Math.max(row.endpoint.acknowledgedSequence, acknowledgedSequence),
      failingSinceMs,
      isQuick,
    };
    for (const failure of failed) {
      const { nextAttemptAtMs, lastFailedAtMs } = failure;
      const before = row.failures.get(failure.sequence)?.nextAttemptAtMs ?? null;
      const isAsked = row.endpoint.version > version && before !== null;
      const isEarlier = isAsked && before < (nextAttemptAtMs ?? Number.POSITIVE_INFINITY);
      row.failures.set(
        failure.sequence,
        isEarlier ? { ...failure, nextAttemptAtMs: Math.max(before, lastFailedAtMs) } : failure,
      );
    }
    for (const sequence of delivered) row.failures.delete(sequence);
    return true;
  }

  disableWebhook(
    account: string,
    id: string,
    version: number,
    disabled: NonNullable<WebhookEndpoint['disabled']>,
  ): boolean {
    const row = this.#row(account, id);
    if (row === undefined || row.endpoint.version !== version) return false;
    row.endpoint = { ...row.endpoint, disabled, version: version + 1 };
    this.move(account);
    return true;
  }

  #row(account: string, id: string): Row | undefined {
    const row = this.rows.get(id);
    return row?.endpoint.account === account ? row : undefined;
  }
}
