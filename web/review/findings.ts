import { toMinorUnits } from '../../client/src/amount.ts';
import type { ExportedTransaction } from '../../client/src/export-manifest.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { DAY_MS } from '../../values/calendar.ts';
import { PENDING } from '../state/route.ts';
import { isDispute } from '../text/status.ts';

export type Recorded = Required<Pick<ExportedTransaction, 'recordedAt' | 'statusRecordedAt'>> & Transaction;

export interface Span {
  isByPayment: boolean;
  fromMs: number;
  beforeMs: number;
}

/** Payments that may have charged a customer twice. The earliest payment comes first. */
export interface Repeated {
  payments: readonly Recorded[];
  refunded: ReadonlySet<string>;
}

export interface Findings {
  count: number;
  pending: number;
  disputes: readonly Recorded[];
  wonAtByDispute: ReadonlyMap<string, string>;
  repeated: readonly Repeated[];
  comparedWithin: number | undefined;
  late: readonly Recorded[];
  /** Transactions of the span that were not recorded before its end. */
  added: readonly Recorded[];
  settled: readonly Recorded[];
}

const REPEATED_WITHIN_MS = 3_600_000;
/** A review keeps up to twice this number of payments, which take about 50 MB. */
const COMPARED_WITHIN = 50_000;

export const recordedTime = ({ recordedAt, statusRecordedAt }: Recorded, { isByPayment }: Span): string =>
  isByPayment ? statusRecordedAt : recordedAt;

export function delayMs(one: Recorded, span: Span): number {
  const happened = span.isByPayment ? (one.paidAt ?? one.createdAt) : one.createdAt;
  return Date.parse(recordedTime(one, span)) - Date.parse(happened);
}

/** Transactions must be added newest first. */
export class Review {
  readonly #span: Span;
  readonly #isPaid: (status: string) => boolean;
  readonly #found = {
    count: 0,
    pending: 0,
    disputes: [] as Recorded[],
    late: [] as Recorded[],
    added: [] as Recorded[],
    settled: [] as Recorded[],
  };
  readonly #comparedWithin: number;
  /** Two maps bound the memory: a full `#charges` becomes `#earlier`, and the old `#earlier` is forgotten. */
  #charges = new Map<string, Recorded[]>();
  #earlier = new Map<string, Recorded[]>();
  #newCharges = 0;
  #isBounded = false;
  readonly #repeated: Recorded[][] = [];
  readonly #refunded = new Set<string>();
  readonly #wonAtByDispute = new Map<string, string>();

  constructor(span: Span, isPaid: (status: string) => boolean, comparedWithin = COMPARED_WITHIN) {
    this.#span = span;
    this.#comparedWithin = comparedWithin;
    this.#isPaid = isPaid;
  }

  add(one: Recorded): void {
    const { merchantReference, status, amount, currencyCode, relatedTo } = one;
    if (this.#isPaid(status) && merchantReference !== null && toMinorUnits(amount) > 0n)
      this.#compare(`${status} ${amount} ${currencyCode} ${merchantReference}`, one);
    if (relatedTo !== undefined && this.#isPaid(status)) {
      if (toMinorUnits(amount) < 0n) this.#refunded.add(relatedTo);
      else this.#wonAtByDispute.set(relatedTo, one.createdAt);
    }
    if (!this.#isOfDays(one)) return;
    const { disputes, late, added, settled } = this.#found;
    this.#found.count += 1;
    if (status === PENDING) this.#found.pending += 1;
    if (isDispute(status)) disputes.push(one);
    if (delayMs(one, this.#span) > DAY_MS) late.push(one);
    const { beforeMs } = this.#span;
    if (Date.parse(one.recordedAt) >= beforeMs) added.push(one);
    else if (Date.parse(one.statusRecordedAt) >= beforeMs) settled.push(one);
  }

  result(): Findings {
    const groups = [...this.#repeated, ...this.#groups(this.#earlier), ...this.#groups(this.#charges)];
    const repeated = groups.map((payments) => ({
      payments,
      refunded: new Set(payments.map(({ reference }) => reference).filter((one) => this.#refunded.has(one))),
    }));
    return {
      ...this.#found,
      wonAtByDispute: this.#wonAtByDispute,
      repeated: repeated.sort((one, other) => lastPaid(other) - lastPaid(one)),
      comparedWithin: this.#isBounded ? this.#comparedWithin : undefined,
    };
  }

  #compare(key: string, one: Recorded): void {
    if (this.#newCharges > this.#comparedWithin) {
      this.#isBounded ||= this.#earlier.size > 0;
      this.#repeated.push(...this.#groups(this.#earlier));
      this.#earlier = this.#charges;
      this.#charges = new Map();
      this.#newCharges = 0;
    }
    const same = this.#charges.get(key) ?? this.#earlier.get(key) ?? [];
    same.push(one);
    this.#earlier.delete(key);
    this.#charges.set(key, same);
    this.#newCharges += 1;
  }

  #isOfDays({ createdAt, paidAt }: Recorded): boolean {
    const time = this.#span.isByPayment ? paidAt : createdAt;
    return time !== null && Date.parse(time) >= this.#span.fromMs && Date.parse(time) < this.#span.beforeMs;
  }

  /** Payments that follow each other within an hour are a group. The last payment must be in `#span`. */
  #groups(charges: ReadonlyMap<string, readonly Recorded[]>): Recorded[][] {
    const groups: Recorded[][] = [];
    for (const same of charges.values()) {
      let group: Recorded[] = [];
      for (const one of same.toSorted((left, right) => paidMs(left) - paidMs(right))) {
        const last = group.at(-1);
        if (last !== undefined && paidMs(one) - paidMs(last) <= REPEATED_WITHIN_MS) group.push(one);
        else {
          group = [one];
          groups.push(group);
        }
      }
    }
    return groups.filter((group) => group.length > 1 && this.#isOfDays(group.at(-1) as Recorded));
  }
}

const paidMs = ({ paidAt }: Recorded) => Date.parse(paidAt as string);
const lastPaid = ({ payments }: Repeated) => paidMs(payments.at(-1) as Recorded);
