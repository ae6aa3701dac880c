import { FairPlaces } from '../values/fair-places.ts';

interface TestLimits {
  perAccount: number;
  perProcess: number;
}

const TEST_LIMITS: TestLimits = { perAccount: 2, perProcess: 64 };

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
  readonly #perAccount: number;
  readonly #places: FairPlaces;
  readonly #stopping = new AbortController();

  constructor({ perAccount, perProcess }: TestLimits = TEST_LIMITS) {
    this.#perAccount = perAccount;
    this.#places = new FairPlaces(perProcess);
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
    if (this.#places.heldBy(account) >= this.#perAccount) throw new TooManyTests('account');
    if (this.stopSignal.aborted || !this.#places.hasRoomFor(account)) throw new TooManyTests('process');
    return this.#places.run(account, test);
  }

  /** Ends all tests. */
  stop(): void {
    this.#stopping.abort();
  }
}
