import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import { isDispute } from '../text/status.ts';
import { type Api, type Transaction, undefinedIfNotFound } from './api.ts';
import { isPaid } from './statuses.ts';

/** The remaining amount of a payment, in its currency. */
export interface Left {
  amount: string;
  currencyCode: string;
  /** How many of the transactions that belong to it do not count. */
  others: number;
  /** True if all that was taken of it are refunds, and no disputes or fees. */
  isRefunded: boolean;
}

/**
 * The amount of a payment and those that belong to it, have the other sign, are paid, and are in its
 * currency.
 */
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

/** The remaining amount of the payment with a reference; undefined if it is not recorded, or not paid. */
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
