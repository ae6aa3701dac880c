import { FairPlaces } from '../values/fair-places.ts';
import { Unavailable } from '../values/unavailable.ts';

interface TestLimits {
  perAccount: number;
  perProcess: number;
}

const TEST_LIMITS: TestLimits = { perAccount: 2, perProcess: 64 };

/** Too many test webhooks of the account are being sent already. */
export class TooManyTests extends Error {
  override readonly name = 'TooManyTests';
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
   * Throws: TooManyTests; Unavailable if the process is full or stops.
   */
  async run<Result>(account: string, test: () => Promise<Result>): Promise<Result> {
    if (this.stopSignal.aborted) throw new Unavailable('service_stopping');
    if (this.#places.heldBy(account) >= this.#perAccount) throw new TooManyTests();
    return this.#places.run(account, 'tests_limit', test);
  }

  /** Ends all tests. */
  stop(): void {
    this.#stopping.abort();
  }
}
