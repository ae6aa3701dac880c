import { checkAccount } from '../verify/check-account.ts';
import type { VerifyContext } from '../verify/context.ts';
import { type Disagreement, nothingVerified } from '../verify/disagreement.ts';
import { PAGE_SIZE } from '../verify/verify.ts';
import type { SchemaCheck } from '../verify/verify-reader.ts';
import { accountsOf, comparedRows } from './compare-sides.ts';
import { Contradictions } from './contradiction.ts';
import type { CopyContext } from './copy-context.ts';
import type { CopyReader } from './copy-reader.ts';
import { headsOf } from './heads.ts';
import { Slices, WorkEnded } from './slices.ts';

/** Accounts that change all the time are not read all the time. */
const MIN_BETWEEN_PASSES_MS = 5000;
const MAX_BETWEEN_PASSES_MS = 60_000;

interface CheckOptions extends Pick<CopyContext, 'source' | 'targetReader' | 'checked'> {
  now(): number;
  monotonicMs(): number;
  isStopped(): boolean;
  onDisagreement(disagreement: Disagreement): Promise<void>;
}

/**
 * Compares and verifies account after account in slices, while nothing is copied, and notes those that are right in `checked`: at the
 * end, only the others are left. An account that changes meanwhile is compared up to the head that was read first, and checked again in
 * the next pass.
 */
export class CheckWhileFollowing {
  readonly #options: CheckOptions;
  readonly #slices: Slices;
  readonly #source: CopyReader;
  readonly #target: CopyReader;
  #working: Promise<void> | undefined;
  #isIdle = false;
  #hasPassed = false;
  /** Disagreements of the target that were reported. */
  disagreements = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#slices = new Slices(options);
    this.#source = inSteps(options.source, this.#slices);
    this.#target = inSteps(options.targetReader, this.#slices);
  }

  /**
   * Goes on for some time: it ends after the read in which the time ends. Returns false if there is nothing to do now.
   *
   * Throws: TargetContradicts.
   */
  async work(milliseconds: number): Promise<boolean> {
    const slice = this.#slices.run(milliseconds);
    if (this.#working === undefined) {
      this.#working = this.#checkAgainAndAgain();
      // Awaited below. Without this handler, a rejection between two slices would end the process.
      this.#working.catch(() => {});
    }
    await Promise.race([slice, this.#working]);
    return !this.#isIdle;
  }

  /** Ends after the read in flight. */
  async close(): Promise<void> {
    this.#slices.end();
    await Promise.allSettled([this.#working]);
  }

  async #checkAgainAndAgain(): Promise<void> {
    try {
      const schema = await this.#target.checkSchema();
      let tookMs = await this.#checkAll(accountsOf(this.#source, this.#target), schema);
      while (this.disagreements === 0) {
        await this.#idle(Math.min(MAX_BETWEEN_PASSES_MS, Math.max(MIN_BETWEEN_PASSES_MS, tookMs)));
        tookMs = await this.#checkAll(this.#movedAccounts(), schema);
      }
    } catch (error) {
      if (!(error instanceof WorkEnded)) throw error;
    }
    this.#isIdle = true;
  }

  async #checkAll(accounts: AsyncIterable<string>, schema: SchemaCheck): Promise<number> {
    const { checked, monotonicMs } = this.#options;
    const startedAtMs = monotonicMs();
    const isFirst = !this.#hasPassed;
    for await (const account of accounts) {
      await this.#check(account, schema);
      if (this.disagreements > 0) return 0;
      if (isFirst) checked.passed(account);
    }
    checked.passed(null);
    this.#hasPassed = true;
    return monotonicMs() - startedAtMs;
  }

  async *#movedAccounts(): AsyncGenerator<string, undefined> {
    for await (const { account, head } of headsOf(this.#target))
      if (!this.#options.checked.has(account, head)) yield account;
    return undefined;
  }

  async #idle(milliseconds: number): Promise<void> {
    const { monotonicMs } = this.#options;
    const untilMs = monotonicMs() + milliseconds;
    this.#isIdle = true;
    while (monotonicMs() < untilMs) await this.#slices.nextSlice();
    this.#isIdle = false;
  }

  async #check(account: string, schema: SchemaCheck): Promise<void> {
    const { checked, now, onDisagreement } = this.#options;
    const target = this.#target;
    const checkedAtMs = now();
    checked.begin(account);
    const head = (await target.readHead(account)).head ?? 0;
    const contradictions = new Contradictions();
    let transactions = 0;
    let isBehind = false;
    const onRemoved = async () => {
      isBehind = true;
    };
    for await (const rows of comparedRows(this.#source, target, account, { contradictions, head, onRemoved }))
      transactions += rows;
    contradictions.refuse();
    const verified = nothingVerified();
    const report = async (disagreement: Disagreement) => {
      this.disagreements++;
      await onDisagreement(disagreement);
    };
    const context: VerifyContext = {
      reader: target,
      schema,
      pageSize: PAGE_SIZE,
      recordedStatuses: new Set(),
      verified,
      report,
      onProgress: () => {},
    };
    await checkAccount(context, account);
    const headNow = (await target.readHead(account)).head ?? 0;
    if (headNow === head && this.disagreements === 0 && !isBehind)
      checked.add(account, { checkedAtMs, head, transactions, verified });
  }
}

/** Each read is a step. */
function inSteps(reader: CopyReader, slices: Slices): CopyReader {
  const step =
    <Values extends unknown[], Result>(read: (...values: Values) => Promise<Result>) =>
    (...values: Values): Promise<Result> =>
      slices.step(() => read.apply(reader, values));
  return {
    checkSchema: step(reader.checkSchema),
    nextAccount: step(reader.nextAccount),
    readHead: step(reader.readHead),
    readArchive: step(reader.readArchive),
    readRows: step(reader.readRows),
    findDayAfter: step(reader.findDayAfter),
    readStoredTotals: step(reader.readStoredTotals),
    readSealHead: step(reader.readSealHead),
    readSealBlocks: step(reader.readSealBlocks),
    readFeed: step(reader.readFeed),
    readRecords: step(reader.readRecords),
    hasRecord: step(reader.hasRecord),
    readIdentity: step(reader.readIdentity),
    listHeads: step(reader.listHeads),
    readChanges: step(reader.readChanges),
    readMark: step(reader.readMark),
    checkStorage: step(reader.checkStorage),
    close: () => reader.close(),
  };
}
