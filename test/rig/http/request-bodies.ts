/** The body of a request that records a transaction, before and after it is paid. */
export const PENDING = {
  merchantReference: 'order-7',
  status: 'pending',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: null,
  createdAt: '2026-03-01T10:00:00.000Z',
};
export const PAID = { ...PENDING, status: 'completed', paidAt: '2026-03-01T10:00:05.000Z' };
