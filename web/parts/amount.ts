import { h } from 'preact';
import { groupedAmount } from '../text/amount.ts';

/** An amount with its currency. The `data` element has the digits as the service wrote them. */
export function Amount({ amount, currencyCode }: { amount: string; currencyCode: string }) {
  return h(
    'data',
    { class: 'amount', value: amount },
    h('span', { class: 'amount-digits' }, groupedAmount(amount)),
    ' ',
    h('span', { class: 'amount-currency' }, currencyCode),
  );
}
