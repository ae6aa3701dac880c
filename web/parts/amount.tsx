import { groupedAmount } from '../text/amount.ts';

/** The `data` element has the digits as the service wrote them. */
export function Amount({ amount, currencyCode }: { amount: string; currencyCode: string }) {
  return (
    <data class="amount" value={amount}>
      <span class="amount-digits">{groupedAmount(amount, currencyCode)}</span>{' '}
      <span class="amount-currency">{currencyCode}</span>
    </data>
  );
}
