import { pagesOf } from '../page-through.js';
import { checksOf } from './check.js';

const DETAILS = { customer: 'Ada "Lovelace" größer 💶', last4: '4242' };
const PAID = /** @type {const} */ ({ status: 'completed', paidAt: '2026-01-10T12:00:00.000Z' });

/** @param {Context} t @param {string} name */
async function withDetails(t, name) {
  const account = await t.account(name);
  const response = await account.put('paid', { ...PAID, details: DETAILS });
  if (response.status === 422 && JSON.stringify(response.body).includes('unknown_field'))
    t.notJudged('the deployment does not have details');
  t.status(response, 201, 'a transaction with details');
  return account;
}

export default checksOf({ level: 'record', section: 'details', needs: 'operator' }, [
  {
    id: 'details.shown',
    rule: 'Details are returned as they were recorded, and a transaction without them does not have the field.',
    async run(t) {
      const account = await withDetails(t, 'details');
      await account.record('none', { ...PAID });
      const shown = await account.client.send('/v1/transactions/paid');
      t.same(sorted(shown.body?.details), sorted(DETAILS), 'the details', shown);
      const none = await account.client.send('/v1/transactions/none');
      t.that(none.body !== undefined && !('details' in none.body), 'no field details', none, none);
      const csv = await account.client.send('/v1/transactions.csv?details=last4,constructor');
      if (csv.status === 200) t.that(/,4242,\r\n/.test(csv.text), 'a column of details', csv.text, csv);
      if ((await t.deployment.whyAbsent('/v1/search?text=abc')) !== undefined) return;
      for (const [text, found] of Object.entries({ 'LOVELACE" GRÖ': ['paid'], customer: [] })) {
        const response = await account.client.send(`/v1/search?text=${encodeURIComponent(text)}`);
        t.same(response.body?.data?.map(referenceOf), found, `what a search finds for ${text}`, response);
      }
    },
  },
  {
    id: 'details.compared',
    section: 'recording',
    rule: 'The texts of details are compared. The final change can add details, and the first change does not show these.',
    async run(t) {
      const account = await withDetails(t, 'details-compared');
      const other = await account.put('paid', { ...PAID, details: { ...DETAILS, last4: '1111' } });
      t.status(other, 409, 'another text of details');
      const [difference] = other.body?.differences ?? [];
      t.same(difference?.field, 'details.last4', 'the field of the difference', other);
      // Every JavaScript object has a property `constructor`. It must not appear as a recorded detail.
      const named = await account.put('paid', { ...PAID, details: { ...DETAILS, constructor: 'Ada' } });
      t.same(named.body?.differences?.[0]?.recorded, null, 'what is recorded of another name', named);
      await account.record('later', { details: { customer: 'Ada' } });
      const changed = await account.put('later', { ...PAID, details: { customer: 'Eve' } });
      t.status(changed, 409, 'a final change with another text of details');
      const added = await account.put('later', { ...PAID, details: { customer: 'Ada', last4: '4242' } });
      t.status(added, 200, 'a final change with another name of details');
      const changes = await account.client.send('/v1/transactions/later/changes');
      const [first, last] = changes.body?.data ?? [];
      t.same(first?.transaction.details, { customer: 'Ada' }, 'the details of the first change', changes);
      t.same(last?.transaction.details?.last4, '4242', 'the details of the final change', changes);
    },
  },
  {
    id: 'details.card-number',
    rule: 'A card number in a text of details is refused, but not as merchantReference.',
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
    rule: 'Removed details are in no response, and repeating the recording does not restore them.',
    async run(t) {
      const account = await withDetails(t, 'details-removed');
      const post = () => account.post('details-removed', { ...PAID, details: DETAILS });
      const { body: assigned } = await post();
      await account.record('pending', { details: DETAILS });
      await account.record('both', { details: { customer: DETAILS.customer } });
      await account.record('both', { ...PAID, details: DETAILS });
      for (const reference of ['paid', 'pending', 'both', assigned?.reference]) {
        const path = `${account.path}/transactions/${reference}/details`;
        t.status(await account.operator.client.send(path, { method: 'DELETE' }), 204);
      }
      for (const reference of ['paid', 'pending', 'both']) {
        const again = await account.put(reference, { ...PAID, details: { ...DETAILS, method: '4242' } });
        t.status(again, 200, 'the recording, or the payment, with details again');
      }
      const repeated = await post();
      t.same(repeated.body?.reference, assigned?.reference, 'the reference of the repeated POST', repeated);
      t.that(!repeated.text.includes('4242'), 'no details in a repeated POST', repeated, repeated);
      for (const from of ['/v1/transactions/paid', '/v1/changes', '/v1/transactions.ndjson']) {
        const response = await account.client.send(from);
        t.that(!response.text.includes('4242'), `no details in ${from}`, response, response);
      }
    },
  },
  {
    id: 'related.listed',
    section: 'retrieve',
    rule: 'The transactions whose relatedTo is a reference are listed newest first, ten on each page, even if no transaction has that reference.',
    async run(t) {
      const account = await withDetails(t, 'related');
      const rows = await account.recordMany(12, (index) => ({
        relatedTo: index === 5 ? 'other' : 'payment',
      }));
      const expected = rows.filter((_, index) => index !== 5).toReversed();
      /** @type {string[]} */
      const found = [];
      for await (const page of pagesOf(t, account.client, '/v1/transactions/payment/related')) {
        found.push(...page.body.data.map(referenceOf));
        if (page.body.hasMore)
          t.same(page.body.data.length, 10, 'items of a page that is not the last', page);
      }
      t.same(found, expected.map(referenceOf), 'the related transactions');
    },
  },
]);

const referenceOf = (/** @type {{ reference: string }} */ { reference }) => reference;

/** @param {object | undefined} details */
const sorted = (details) => JSON.stringify(Object.entries(details ?? {}).sort());
