import { judgeKeyNeeded, unknownKey } from '../judge-refusals.js';
import { readPage } from '../page-through.js';
import { inOneOrder } from '../transaction.js';
import { checksOf } from './check.js';

const METHODS = checksOf({ level: 'list', section: 'headers-of-responses' }, [
  {
    id: 'method.head',
    section: 'requests',
    rule: 'HEAD answers like GET, with the same status and headers, and without a body.',
    async run(t) {
      for (const [query, status, options] of /** @type {[string, number, object?][]} */ ([
        ['', 200],
        ['status=nonsense', 400],
        ['curency=EUR', 400],
        ['', 401, { authorization: null }],
        ['', 401, unknownKey(t)],
      ])) {
        const before = await t.list(query, options);
        const head = t.status(await t.list(query, { ...options, method: 'HEAD' }), status);
        t.same(head.bytes.length, 0, 'bytes in the body', head);
        const after = t.status(await t.list(query, options), status, 'GET after HEAD on the connection');
        t.same(head.header('content-type'), after.header('content-type'), 'the content type of HEAD', head);
        for (const name of ['link', 'cursor-expires', 'cache-control', 'request-id']) {
          const [isThere, ...couldBe] = [head, before, after].map((one) => one.header(name) !== undefined);
          // The list may change between requests, so HEAD may equal the GET before it or the GET after it.
          const expected = `the header ${name} of HEAD ${isThere ? 'is not there' : 'is there'}, as of GET`;
          t.that(couldBe.includes(isThere), expected, String(head.header(name)), head);
        }
      }
    },
  },
  {
    id: 'method.not-allowed',
    section: 'requests',
    rule: 'A method other than GET and HEAD is 405 method_not_allowed, with an Allow header that names GET.',
    async run(t) {
      const own = await t.deployment.operator?.account('methods');
      const client = own?.client ?? t.client;
      // A faulty service could execute the DELETE, so the key of a real account is not sent.
      const header = own === undefined ? { authorization: null } : {};
      const requests = ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, ...header }));
      for (const request of [...requests, { method: 'OPTIONS' }]) {
        const { method } = request;
        const response = await client.list('', request);
        // Without a key, 401 is right as well. OPTIONS may succeed: browsers send it before some requests.
        if (own === undefined && response.status === 401) continue;
        if (method === 'OPTIONS' && response.status < 300) continue;
        t.problem(response, 405, 'method_not_allowed');
        const allowed = (response.header('allow') ?? '').split(',').map((one) => one.trim());
        t.that(allowed.includes('GET'), 'GET in Allow', String(response.header('allow')), response);
      }
      if (t.judged === 0)
        t.notJudged('without an account of its own, the kit sends these methods without a key, which is 401');
    },
  },
  {
    id: 'method.safe',
    section: 'requests',
    rule: 'A request with another method returns no transactions.',
    run: (t) =>
      t.each(['PROPFIND', 'OPTIONS', 'SEARCH'], async (method) => {
        const response = await t.list('', { method });
        t.that(!Array.isArray(response.body?.data), `no transactions for ${method}`, response);
      }),
  },
  {
    id: 'path.not-found',
    section: 'requests',
    rule: 'A path that does not exist is 404 not_found.',
    run: (t) =>
      t.each([`/v1/${t.random.letters(12)}`, `/${t.random.letters(12)}`, '/v2/transactions'], async (path) =>
        t.problem(await t.get(path), 404, 'not_found'),
      ),
  },
]);

const RETRIEVE = checksOf({ level: 'retrieve', section: 'retrieve' }, [
  {
    id: 'retrieve.same',
    rule: 'A transaction that is retrieved by its reference is the same as in the list.',
    async run(t) {
      for (const row of t.random.sample(await t.facts.rows(), 4)) {
        const response = t.status(await retrieved(t, row.reference), 200);
        const { status, paidAt, ...fields } = response.body;
        const { status: listedStatus, paidAt: listedPaidAt, ...listed } = row;
        t.same(inOneOrder(fields), inOneOrder(listed), 'the same fields as in the list', response);
        if (listedStatus === 'pending') continue;
        t.same([status, paidAt], [listedStatus, listedPaidAt], 'the status and paidAt of the list', response);
      }
    },
  },
  {
    id: 'retrieve.not-found',
    section: 'errors',
    rule: 'An unknown reference is 404 not_found.',
    async run(t) {
      await retrieved(t, (await t.facts.rows())[0].reference);
      t.problem(await t.get(`/v1/transactions/none-${t.random.letters(20)}`), 404, 'not_found');
    },
  },
  {
    id: 'retrieve.other-account',
    section: 'authentication',
    rule: 'A transaction of another account is 404, like an unknown one.',
    needs: 'second key',
    async run(t) {
      const { reference } = (await t.facts.rows())[0];
      await retrieved(t, reference);
      const other = await t.deployment.second();
      const { data } = readPage(await other.list());
      const own = data.find((row) => row.reference !== reference);
      if (own === undefined) return t.notJudged('the second account has no transactions');
      const mine = await t.get(`/v1/transactions/${own.reference}`);
      // `t.facts.rows()` need not contain all transactions of a large account, so the fields are compared
      // too.
      const isListed = (await t.facts.rows()).some((row) => row.reference === own.reference);
      if (mine.status === 200 && (isListed || fieldsOf(mine.body) !== fieldsOf(own)))
        t.notJudged('both accounts have this reference');
      t.problem(mine, 404, 'not_found', "another account's reference");
    },
  },
  {
    id: 'retrieve.authentication',
    section: 'authentication',
    rule: 'A retrieval without a valid key is 401, whether the transaction exists or not.',
    async run(t) {
      const { reference } = (await t.facts.rows())[0];
      await retrieved(t, reference);
      for (const one of [reference, `none-${t.random.letters(20)}`])
        await judgeKeyNeeded(t, `/v1/transactions/${one}`, 'a retrieval');
    },
  },
]);

/** @param {Transaction} transaction */
const fieldsOf = ({ status, paidAt, ...fields }) => JSON.stringify(inOneOrder(fields));

/** @param {Context} t @param {string} reference */
async function retrieved(t, reference) {
  const response = await t.get(`/v1/transactions/${encodeURIComponent(reference)}`);
  if (response.status === 404) t.notJudged('the deployment does not retrieve single transactions');
  return response;
}

export default [...METHODS, ...RETRIEVE];
