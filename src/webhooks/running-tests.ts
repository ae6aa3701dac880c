export interface TestLimits {
  perAccount: number;
  perProcess: number;
}

export const TEST_LIMITS: TestLimits = { perAccount: 2, perProcess: 64 };

/** Too many test webhooks are being sent already, of the account or of the process. */
export class TooManyTests extends Error {
  override readonly name = 'TooManyTests';
  readonly scope: 'account' | 'process';

  constructor(scope: 'account' | 'process') {
    super(`too many test webhooks of the ${scope} are being sent`);
    this.scope = scope;
  }
}

/** The test webhooks that this process is sending, which are limited: each can take as long as its receiver does. */
export class RunningTests {
  readonly #limits: TestLimits;
  readonly #byAccount = new Map<string, number>();
  readonly #stopping = new AbortController();
  #count = 0;

  constructor(limits: TestLimits = TEST_LIMITS) {
    this.#limits = limits;
  }

  /** Aborted when the service stops. */
  get stopSignal(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * Runs a test of an account.
   *
   * Throws: TooManyTests, also after the stop.
   */
  async run<Result>(account: string, test: () => Promise<Result>): Promise<Result> {
    const running = this.#byAccount.get(account) ?? 0;
    if (running >= this.#limits.perAccount) throw new TooManyTests('account');
    if (this.#count >= this.#limits.perProcess || this.stopSignal.aborted) throw new TooManyTests('process');
    this.#byAccount.set(account, running + 1);
    this.#count++;
    try {
      return await test();
    } finally {
      const others = (this.#byAccount.get(account) ?? 1) - 1;
      if (others === 0) this.#byAccount.delete(account);
      else this.#byAccount.set(account, others);
      this.#count--;
    }
  }

  /** Ends all tests. */
  stop(): void {
    this.#stopping.abort();
  }
}
