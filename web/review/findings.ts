import { toMinorUnits } from '../../client/src/amount.ts';
import type { ExportedTransaction } from '../../client/src/export-manifest.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { PENDING } from '../state/route.ts';
import { isDispute } from '../text/status.ts';

/** A transaction of an export that has when it was recorded. */
export type Recorded = Required<Pick<ExportedTransaction, 'recordedAt' | 'statusRecordedAt'>> & Transaction;

/** The days whose transactions are looked at, as times. */
export interface Span {
  isByPayment: boolean;
  fromMs: number;
  beforeMs: number;
}

/** Payments that can be one charge made twice, the earliest first. */
export interface Repeated {
  payments: readonly Recorded[];
  /** The references that have a refund among the transactions that were read. */
  refunded: ReadonlySet<string>;
}

/** What a person should look at, each newest first. */
export interface Findings {
  count: number;
  pending: readonly Recorded[];
  disputes: readonly Recorded[];
  repeated: readonly Repeated[];
  late: readonly Recorded[];
  /** Recorded for the first time after the last day. */
  added: readonly Recorded[];
  /** Recorded before, and in another status after the last day. */
  settled: readonly Recorded[];
}

const DAY_MS = 86_400_000;
const REPEATED_WITHIN_MS = 3_600_000;

/** When what counts on these days was recorded: the payment itself, or its status. */
export const recordedTime = ({ recordedAt, statusRecordedAt }: Recorded, { isByPayment }: Span): string =>
  isByPayment ? statusRecordedAt : recordedAt;

/** The time from what happened until it was recorded. */
export function delayMs(one: Recorded, span: Span): number {
  const happened = span.isByPayment ? (one.paidAt ?? one.createdAt) : one.createdAt;
  return Date.parse(recordedTime(one, span)) - Date.parse(happened);
}

/** Collects what a person should look at from transactions in the order of a list. Those around the days are only compared. */
export class Review {
  readonly #span: Span;
  readonly #isPaid: (status: string) => boolean;
  readonly #found = {
    count: 0,
    pending: [] as Recorded[],
    disputes: [] as Recorded[],
    late: [] as Recorded[],
    added: [] as Recorded[],
    settled: [] as Recorded[],
  };
  readonly #charges = new Map<string, Recorded[]>();
  readonly #refunded = new Set<string>();

  constructor(span: Span, isPaid: (status: string) => boolean) {
    this.#span = span;
    this.#isPaid = isPaid;
  }

  add(one: Recorded): void {
    const { merchantReference, status, amount, currencyCode, relatedTo } = one;
    if (this.#isPaid(status) && merchantReference !== null && toMinorUnits(amount) > 0n) {
      const key = `${status} ${amount} ${currencyCode} ${merchantReference}`;
      const same = this.#charges.get(key);
      if (same === undefined) this.#charges.set(key, [one]);
      else same.push(one);
    }
    if (relatedTo !== undefined && this.#isPaid(status) && toMinorUnits(amount) < 0n)
      this.#refunded.add(relatedTo);
    if (!this.#isOfDays(one)) return;
    const { count, pending, disputes, late, added, settled } = this.#found;
    this.#found.count = count + 1;
    if (status === PENDING) pending.push(one);
    if (isDispute(status)) disputes.push(one);
    if (delayMs(one, this.#span) > DAY_MS) late.push(one);
    const { beforeMs } = this.#span;
    if (Date.parse(one.recordedAt) >= beforeMs) added.push(one);
    else if (Date.parse(one.statusRecordedAt) >= beforeMs) settled.push(one);
  }

  result(): Findings {
    const repeated = [...this.#charges.values()].flatMap((same) =>
      same.length > 1 ? this.#groups(same) : [],
    );
    return { ...this.#found, repeated: repeated.sort((one, other) => lastPaid(other) - lastPaid(one)) };
  }

  #isOfDays({ createdAt, paidAt }: Recorded): boolean {
    const time = this.#span.isByPayment ? paidAt : createdAt;
    return time !== null && Date.parse(time) >= this.#span.fromMs && Date.parse(time) < this.#span.beforeMs;
  }

  /** Equal payments, each within an hour of the one before. One of the day before the days counts with a later one. */
  #groups(same: readonly Recorded[]): Repeated[] {
    const sorted = same.toSorted((one, other) => paidMs(one) - paidMs(other));
    const groups: Recorded[][] = [];
    for (const one of sorted) {
      const group = groups.at(-1);
      const last = group?.at(-1);
      if (last !== undefined && paidMs(one) - paidMs(last) <= REPEATED_WITHIN_MS) group?.push(one);
      else groups.push([one]);
    }
    return groups
      .filter((group) => group.length > 1 && this.#isOfDays(group.at(-1) as Recorded))
      .map((payments) => ({
        payments,
        refunded: new Set(
          payments.map(({ reference }) => reference).filter((one) => this.#refunded.has(one)),
        ),
      }));
  }
}

const paidMs = ({ paidAt }: Recorded) => Date.parse(paidAt as string);
const lastPaid = ({ payments }: Repeated) => paidMs(payments.at(-1) as Recorded);
