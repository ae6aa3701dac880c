import { groupedAmount } from '../text/amount.ts';

export function Amount({ amount, currencyCode }: { amount: string; currencyCode: string }) {
  return (
    <data class="amount" value={amount}>
      <span class="amount-digits">{groupedAmount(amount, currencyCode)}</span>{' '}
      <span class="amount-currency">{currencyCode}</span>
    </data>
  );
}
