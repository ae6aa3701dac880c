import { checksOf } from './check.js';

const DETAILS = { customer: 'Ada "Lovelace" größer 💶', last4: '4242' };
const PAID = /** @type {const} */ ({ status: 'completed', paidAt: '2026-01-10T12:00:00.000Z' });

/**
 * An account that has the transaction `paid` with details, or a check that is not judged: a service need not have them.
 * @param {import('../context.js').Context} t @param {string} name
 */
async function withDetails(t, name) {
  const account = await t.account(name);
  const response = await account.put('paid', { ...PAID, details: DETAILS });
  if (response.status === 422 && JSON.stringify(response.body).includes('unknown_field'))
    t.notJudged('the deployment does not have details');
  t.status(response, 201, 'a transaction with details');
  return account;
}

const OWN_DETAILS = checksOf({ level: 'record', section: 'details', needs: 'operator' }, [
  {
    id: 'details.shown',
    section: 'details',
    rule: 'Details come back as they were recorded, and a transaction without them does not have the field.',
    async run(t) {
      const account = await withDetails(t, 'details');
      await account.record('none', { ...PAID });
      const shown = await account.client.send('/v1/transactions/paid');
      t.same(sorted(shown.body?.details), sorted(DETAILS), 'the details', shown);
      const none = await account.client.send('/v1/transactions/none');
      t.that(none.body !== undefined && !('details' in none.body), 'no field details', none, none);
    },
  },
  {
    id: 'details.compared',
    section: 'recording',
    rule: 'Details are compared text by text, and the final change can add names, which the first change does not have.',
    async run(t) {
      const account = await withDetails(t, 'details-compared');
      const other = await account.put('paid', { ...PAID, details: { ...DETAILS, last4: '1111' } });
      t.status(other, 409, 'another text of details');
      const [difference] = other.body?.differences ?? [];
      t.same(difference?.field, 'details.last4', 'the field of the difference', other);
      await account.record('later', { details: { customer: 'Ada' } });
      const added = await account.put('later', { ...PAID, details: { customer: 'Ada', last4: '4242' } });
      t.status(added, 200, 'a final change with another name of details');
      const changes = await account.client.send('/v1/transactions/later/changes');
      const [first, last] = changes.body?.data ?? [];
      t.same(
        sorted(first?.transaction.details),
        sorted({ customer: 'Ada' }),
        'the details of the first change',
        changes,
      );
      t.same(last?.transaction.details?.last4, '4242', 'the details of the final change', changes);
    },
  },
  {
    id: 'details.card-number',
    section: 'details',
    rule: 'A card number in a text of details is refused, and one as merchantReference is not.',
    async run(t) {
      const account = await withDetails(t, 'card-number');
      for (const note of ['4111111111111111', '4111 1111-1111 1111']) {
        const refused = await account.put('card', { ...PAID, details: { note } });
        t.status(refused, 422, 'a card number in details');
        t.same(refused.body?.errors?.[0]?.code, 'card_number', 'the code of the fault', refused);
      }
      await account.record('number', { ...PAID, merchantReference: '4111111111111111' });
    },
  },
  {
    id: 'details.removed',
    section: 'recording',
    rule: 'Details that are removed are in no response, and a repetition of the recording does not bring them back.',
    async run(t) {
      const account = await withDetails(t, 'details-removed');
      const path = `/v1/accounts/${account.id}/transactions/paid/details`;
      const removed = await account.operator.client.send(path, { method: 'DELETE' });
      t.status(removed, 204, 'the removal of details');
      const again = await account.put('paid', { ...PAID, details: DETAILS });
      t.status(again, 200, 'the recording again');
      for (const from of ['/v1/transactions/paid', '/v1/changes', '/v1/transactions.ndjson']) {
        const response = await account.client.send(from);
        t.that(!response.text.includes('4242'), `no details in ${from}`, response, response);
      }
    },
  },
  {
    id: 'related.listed',
    section: 'retrieve',
    rule: 'The transactions whose relatedTo is a reference are listed newest first, ten on each page, whether or not it is recorded.',
    async run(t) {
      const account = await withDetails(t, 'related');
      const rows = await account.recordMany(12, (index) => ({
        relatedTo: index === 5 ? 'other' : 'payment',
      }));
      const expected = rows.filter((_, index) => index !== 5).toReversed();
      /** @type {string[]} */
      const found = [];
      for (let query = ''; ; ) {
        const response = await account.client.send(`/v1/transactions/payment/related${query}`);
        t.status(response, 200, 'the related transactions');
        for (const { reference } of response.body.data) found.push(reference);
        if (response.body.nextCursor === null) break;
        t.same(response.body.data.length, 10, 'the items of a page that is not the last one', response);
        query = `?cursor=${response.body.nextCursor}`;
      }
      t.same(
        found.join(' '),
        expected.map(({ reference }) => reference).join(' '),
        'the related transactions',
      );
    },
  },
]);

/** @param {object | undefined} details */
const sorted = (details) => JSON.stringify(Object.entries(details ?? {}).sort());

export default OWN_DETAILS;
