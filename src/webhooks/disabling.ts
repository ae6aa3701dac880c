import { withinTime } from '../values/time-limit.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import { CALL_TIMEOUT_MS } from './progress-writer.ts';
import type { DisabledReason, WebhookEndpoint } from './webhook.ts';

type Reason = Exclude<DisabledReason, 'requested'>;

/** Disables an endpoint whose receiver is gone or fails. Nothing is attempted meanwhile. */
export class Disabling {
  readonly #dependencies: Pick<DeliveryDependencies, 'store' | 'now' | 'hooks' | 'refresh'>;
  #reason: Reason | undefined;
  #state: 'needed' | 'running' | 'done' = 'needed';
  /** A call had no answer, and may have taken effect. */
  #isUnsure = false;

  constructor(dependencies: Pick<DeliveryDependencies, 'store' | 'now' | 'hooks' | 'refresh'>) {
    this.#dependencies = dependencies;
  }

  get isWanted(): boolean {
    return this.#reason !== undefined;
  }

  want(reason: Reason): void {
    this.#reason ??= reason;
  }

  /** The owner has changed the endpoint: its receiver may work now. */
  reset(): void {
    this.#reason = undefined;
    this.#state = 'needed';
    this.#isUnsure = false;
  }

  /**
   * Disables the endpoint, unless that is done. Afterwards, the next list of endpoints shows that it is disabled, or that its owner
   * has changed it. Returns whether the database answered.
   */
  async run({ account, id, version }: WebhookEndpoint): Promise<boolean> {
    const { store, now, hooks, refresh } = this.#dependencies;
    const reason = this.#reason;
    if (reason === undefined || this.#state !== 'needed') return true;
    this.#state = 'running';
    try {
      const call = store.disableWebhook(account, id, version, { reason, atMs: now() });
      const isDisabled = await withinTime(call, CALL_TIMEOUT_MS);
      this.#state = 'done';
      if (isDisabled || this.#isUnsure) hooks.onDisabled({ account, id }, reason);
      refresh();
      return true;
    } catch (error) {
      this.#state = 'needed';
      this.#isUnsure = true;
      hooks.onError(error);
      return false;
    }
  }
}
