import { checksOf } from './check.js';

const MOST_ENDPOINTS = 20;

const URL_OF_NOBODY = 'https://conformance.example/webhooks';

const METADATA = [
  'https://169.254.169.254/latest/meta-data',
  'https://[fe80::1]/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
];

const INVALID = [
  [{}, 'no url'],
  [{ url: 'nonsense' }, 'a url that is not a URL'],
  [{ url: 'ftp://conformance.example/' }, 'a scheme other than http and https'],
  [{ url: 'javascript:alert(1)' }, 'a script as the url'],
  [{ url: URL_OF_NOBODY, types: 'transaction.completed' }, 'types that are not an array'],
  [{ url: URL_OF_NOBODY, ordered: 'yes' }, 'ordered that is not a boolean'],
];

const OPERATIONS = /** @type {[method: string, below: string, fields?: object][]} */ ([
  ['GET', ''],
  ['PATCH', '', { label: 'x' }],
  ['DELETE', ''],
  ['POST', '/test', {}],
  ['POST', '/replay', { after: 0 }],
  ['POST', '/rotate-secret'],
  ['GET', '/failures'],
  ['POST', '/failures/1/retry'],
]);

export default checksOf({ level: 'webhooks', section: 'webhooks', needs: 'operator' }, [
  {
    id: 'webhooks.created',
    rule: 'Creating an endpoint returns 201, its id and its secret (whsec_ and base64), which no later response has.',
    async run(t) {
      const { client } = await webhookAccount(t);
      const made = await create(t, client, { url: URL_OF_NOBODY, label: 'conformance' });
      const { id, secret, url } = made.body;
      t.that(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret), 'a secret', 'none of this form', made);
      t.that(typeof id === 'string' && url === URL_OF_NOBODY, 'an id and the url', made.summary, made);
      for (const path of ['/v1/webhooks', `/v1/webhooks/${id}`]) {
        const response = t.status(await client.send(path), 200);
        t.that(!response.text.includes(secret), 'no secret', `it in ${path}`, response);
        t.that(response.text.includes(id), `the endpoint in ${path}`, response.summary, response);
      }
    },
  },
  {
    id: 'webhooks.idempotent',
    rule: 'Requests with one Idempotency-Key create one endpoint, and all get its secret; other fields, or a deleted endpoint, are 409 idempotency_key_reused.',
    async run(t) {
      const { client } = await webhookAccount(t);
      const key = { 'Idempotency-Key': 'conformance-1' };
      const post = (/** @type {object} */ body) => client.json('POST', '/v1/webhooks', body, key);
      const made = await Promise.all([post({ url: URL_OF_NOBODY }), post({ url: URL_OF_NOBODY })]);
      made.push(await post({ url: URL_OF_NOBODY }));
      for (const response of made) {
        const { id, secret } = t.status(response, 201, 'a repeated creation').body;
        t.same([id, secret], [made[0].body.id, made[0].body.secret], 'the endpoint', response);
      }
      const listed = t.status(await client.send('/v1/webhooks'), 200);
      t.same(listed.body.data.length, 1, 'the number of endpoints', listed);
      const other = await post({ url: URL_OF_NOBODY, label: 'other' });
      t.problem(other, 409, 'idempotency_key_reused', 'a key that created another endpoint');
      const second = await client.json('POST', '/v1/webhooks', { url: URL_OF_NOBODY });
      const isWarned = typeof second.body?.warning === 'string';
      t.that(isWarned, 'a warning, because another endpoint has the URL', second);
      t.status(await client.send(`/v1/webhooks/${made[0].body.id}`, { method: 'DELETE' }), 204);
      const late = await post({ url: URL_OF_NOBODY });
      t.problem(late, 409, 'idempotency_key_reused', 'a key that created a deleted endpoint');
    },
  },
  {
    id: 'webhooks.limit',
    rule: 'An account that has the maximum number of endpoints gets 429 too_many_webhooks.',
    async run(t) {
      const { client } = await webhookAccount(t);
      for (let count = 0; count <= MOST_ENDPOINTS; count++) {
        const response = await client.json('POST', '/v1/webhooks', { url: URL_OF_NOBODY });
        if (response.status === 201) continue;
        t.problem(response, 429, 'too_many_webhooks', `endpoint ${count + 1}`);
        return;
      }
    },
  },
  {
    id: 'webhooks.changed',
    rule: 'PATCH changes the fields that it contains, and leaves the others.',
    async run(t) {
      const { client } = await webhookAccount(t);
      const fields = { url: URL_OF_NOBODY, types: ['transaction.completed'] };
      const { body } = await create(t, client, { ...fields, label: 'before' });
      const path = `/v1/webhooks/${body.id}`;
      t.status(await client.json('PATCH', path, { label: 'after' }), 200);
      const response = await client.send(path);
      const { label, url, types } = response.body;
      t.same({ url, types, label }, { ...fields, label: 'after' }, 'the endpoint', response);
    },
  },
  {
    id: 'webhooks.deleted',
    rule: 'DELETE is 204; then the endpoint is 404 and not in the list.',
    async run(t) {
      const { client } = await webhookAccount(t);
      const { body } = await create(t, client, { url: URL_OF_NOBODY });
      const path = `/v1/webhooks/${body.id}`;
      const deleted = await client.send(path, { method: 'DELETE' });
      t.that(deleted.status === 204 && deleted.text === '', '204 without a body for deleting', deleted);
      t.problem(await client.send(path), 404, 'not_found', 'a deleted endpoint');
      const list = await client.send('/v1/webhooks');
      t.that(!list.text.includes(body.id), 'a list without it', 'it is there', list);
    },
  },
  {
    id: 'webhooks.pages',
    rule: 'Endpoints and failures are returned in pages: data, nextCursor and hasMore, with the parameter cursor alone.',
    async run(t) {
      const { client } = await webhookAccount(t);
      const { body } = await create(t, client, { url: URL_OF_NOBODY });
      for (const path of ['/v1/webhooks', `/v1/webhooks/${body.id}/failures`]) {
        const page = t.status(await client.send(path), 200);
        t.that(Array.isArray(page.body.data), 'data', page.summary, page);
        const { nextCursor, hasMore } = page.body;
        t.same({ nextCursor, hasMore }, { nextCursor: null, hasMore: false }, `the page of ${path}`, page);
        t.problem(await client.send(`${path}?cursor=nonsense`), 400, 'cursor_malformed');
        t.problem(await client.send(`${path}?limit=5`), 400, 'unknown_parameter');
      }
    },
  },
  {
    id: 'webhooks.invalid',
    rule: 'Fields that break a rule are 422 invalid_fields.',
    async run(t) {
      const { client } = await webhookAccount(t);
      for (const [fields, why] of INVALID)
        t.problem(await client.json('POST', '/v1/webhooks', fields), 422, 'invalid_fields', String(why));
    },
  },
  {
    id: 'webhooks.special-addresses',
    rule: 'An endpoint with a link-local, metadata or other special address is refused, or never connected to.',
    async run(t) {
      const { client } = await webhookAccount(t);
      for (const url of METADATA) {
        const made = await client.json('POST', '/v1/webhooks', { url });
        if (made.status >= 400 && made.status < 500) t.that(true, 'a refusal', made);
        else {
          t.status(made, 201, url);
          const test = await client.json('POST', `/v1/webhooks/${made.body.id}/test`, {});
          const isUnreached = test.body?.delivered !== true && test.body?.status == null;
          t.that(isUnreached, `no connection to ${url}`, test.text.slice(0, 300), test);
        }
      }
    },
  },
  {
    id: 'webhooks.rotated',
    rule: 'Rotating gives the endpoint another secret.',
    async run(t) {
      const { client } = await webhookAccount(t);
      const { body } = await create(t, client, { url: URL_OF_NOBODY });
      const rotate = `/v1/webhooks/${body.id}/rotate-secret`;
      const rotated = t.status(await client.send(rotate, { method: 'POST' }), 200);
      const isOther = /^whsec_/.test(rotated.body?.secret) && rotated.body.secret !== body.secret;
      t.that(isOther, 'another secret', 'the same one, or none', rotated);
    },
  },
  {
    id: 'webhooks.isolation',
    section: 'authentication',
    rule: "Another account's endpoint is 404, like one that does not exist, for every operation.",
    async run(t) {
      const [one, two] = [await webhookAccount(t), await webhookAccount(t)];
      const { body } = await create(t, one.client, { url: URL_OF_NOBODY });
      const path = `/v1/webhooks/${body.id}`;
      for (const [method, below, fields] of OPERATIONS) {
        const send = (/** @type {string} */ url) =>
          fields === undefined
            ? two.client.send(url + below, { method })
            : two.client.json(method, url + below, fields);
        const [foreign, absent] = [await send(path), await send('/v1/webhooks/we_0000000000000000')];
        const what = `${method} ${below} of another account's endpoint`;
        t.problem(foreign, 404, 'not_found', what);
        t.same(foreign.body.detail, absent.body?.detail, `the detail of ${what}, and of none`, foreign);
      }
      const list = await two.client.send('/v1/webhooks');
      t.that(!list.text.includes(body.id), 'a list without it', 'it is there', list);
      t.status(await one.client.send(path), 200, 'the endpoint, which is still there');
    },
  },
  {
    id: 'webhooks.scope',
    section: 'keys',
    rule: 'A key without the scope webhooks is refused with 403 insufficient_scope, and a request without a key is 401.',
    async record(t, account) {
      await absent(t, account.client);
      const refused = await account.client.send('/v1/webhooks');
      t.problem(refused, 403, 'insufficient_scope', 'a key that can only read');
      const without = await account.client.send('/v1/webhooks', { authorization: null });
      t.problem(without, 401, 'missing_api_key', 'no key');
    },
  },
]);

/** @param {Context} t */
async function webhookAccount(t) {
  const account = await t.account('webhooks', ['read', 'webhooks']);
  await absent(t, account.client);
  return account;
}

/** @param {Context} t @param {AccountClient} client */
async function absent(t, client) {
  const { status } = await client.send('/v1/webhooks');
  if (status === 404) t.notJudged('the deployment has no /v1/webhooks');
}

/** @param {Context} t @param {AccountClient} client @param {object} fields */
async function create(t, client, fields) {
  const made = await client.json('POST', '/v1/webhooks', fields);
  t.status(made, 201, 'a new endpoint');
  t.deployment.secrets.add(String(made.body?.secret), '$WEBHOOK_SECRET');
  return made;
}
