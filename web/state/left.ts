import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import { isDispute } from '../text/status.ts';
import { type Api, type Transaction, undefinedIfNotFound } from './api.ts';
import { isPaid } from './statuses.ts';

export interface Left {
  amount: string;
  currencyCode: string;
  /** The number of related transactions that are not part of `amount`. */
  others: number;
  /** True if only refunds reduced the payment, not disputes or fees. */
  isRefunded: boolean;
}

export function leftOf({ amount, currencyCode }: Transaction, followers: readonly Transaction[]): Left {
  const isNegative = (amount: string) => toMinorUnits(amount) < 0n;
  const counting = followers.filter(
    (follower) =>
      follower.currencyCode === currencyCode &&
      isPaid(follower.status) &&
      isNegative(follower.amount) !== isNegative(amount),
  );
  const left = [amount, ...counting.map((refund) => refund.amount)].reduce(
    (sum, one) => sum + toMinorUnits(one),
    0n,
  );
  return {
    amount: fromMinorUnits(left),
    currencyCode,
    others: followers.length - counting.length,
    isRefunded: counting.every(({ status }) => !isDispute(status) && !/fee|payout/.test(status)),
  };
}

export async function loadLeft(api: Api, reference: string, signal: AbortSignal): Promise<Left | undefined> {
  const payment = await api.retrieve(reference, signal).catch(undefinedIfNotFound);
  if (payment === undefined || !isPaid(payment.status)) return undefined;
  const followers: Transaction[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await api.related(reference, cursor ?? null, signal);
    followers.push(...page.data);
    cursor = page.nextCursor;
  }
  return leftOf(payment, followers);
}
