import { judgeList, readCurrent } from '../own-lists.js';
import { pagesOf, readPage } from '../page-through.js';
import { checksOf } from './check.js';

const LONGEST_MS = 5000;
const KEYS_OF_PAGES = 12;
/* If a slow deployment answers only after the first duration, the check is repeated with the second. */
const LIVES_MS = [3500, 20_000];
const GRACES_MS = [2000, 20_000];

export default checksOf({ level: 'record', section: 'authentication', needs: 'operator' }, [
  {
    id: 'keys.several',
    rule: 'An account can have several keys, which read the same data, and each accepts the cursors of the others.',
    async record(t, account) {
      const other = await account.createKey();
      const rows = await account.recordMany(12);
      await judgeList(t, account.client, rows);
      await judgeList(t, other, rows);
      const { nextCursor } = readPage(await account.client.list());
      t.status(await other.list({ cursor: String(nextCursor) }), 200, 'the cursor of another key');
    },
  },
  {
    id: 'keys.revoked',
    rule: 'A key that is revoked with DELETE, which is 204, is refused with 401 invalid_api_key within a second, and other keys still work.',
    async record(t, account) {
      const { client, keyId } = account;
      const other = await account.createKey();
      const elsewhere = await t.account('revoked-elsewhere');
      const { client: operator } = account.operator;
      for (const [method, below] of [
        ['DELETE', ''],
        ['POST', '/roll'],
      ]) {
        const foreign = await operator.json(method, `${elsewhere.path}/keys/${keyId}${below}`, {});
        t.problem(foreign, 404, 'not_found', `${method} of a key through another account`);
      }
      t.status(await client.list(), 200, 'the key before it is revoked');
      const revoked = await operator.send(`${account.path}/keys/${keyId}`, { method: 'DELETE' });
      t.that(revoked.status === 204 && revoked.text === '', '204 without a body for revoking', revoked);
      await refusedSoon(t, client);
      t.status(await other.list(), 200, 'another key of the account');
    },
  },
  {
    id: 'keys.pages',
    rule: 'The keys of an account are returned in pages, each key once, and a cursor works for its own account alone.',
    async record(t, account) {
      for (let count = 0; count < KEYS_OF_PAGES; count++) await account.createKey();
      const other = await t.account('other-pages');
      const { client } = account.operator;
      const ids = [];
      for await (const { body } of pagesOf(t, client, `${account.path}/keys`)) {
        ids.push(...body.data.map((/** @type {{ id: string }} */ { id }) => id));
        if (body.nextCursor === null) continue;
        const foreign = await client.send(`${other.path}/keys?cursor=${body.nextCursor}`);
        t.problem(foreign, 400, 'cursor_malformed', 'a cursor of another account');
      }
      t.same(new Set(ids).size, ids.length, 'the ids of different keys');
      t.same(ids.length, KEYS_OF_PAGES + 1, 'the number of keys');
      t.problem(await client.send(`${account.path}/keys?cursor=nonsense`), 400, 'cursor_malformed');
    },
  },
  {
    id: 'keys.expired',
    rule: 'A key is refused from its expiry on.',
    async run(t) {
      for (const lifeMs of LIVES_MS) {
        const account = await t.account('expired');
        const { dateMs } = await account.client.list();
        const expiresAt = new Date(dateMs + lifeMs).toISOString();
        const client = await account.createKey(undefined, { expiresAt });
        const first = await client.list();
        if (first.status === 401) continue;
        t.status(first, 200, 'the key before its expiry');
        await new Promise((resolve) => setTimeout(resolve, lifeMs));
        return refusedSoon(t, client);
      }
      t.notJudged('the deployment answers too slowly, or its Date differs from its clock');
    },
  },
  {
    id: 'keys.not-shown-again',
    rule: 'A key is shown once: the list of keys does not contain it.',
    async record(t, account) {
      const { client, keyId } = account;
      const listed = t.status(await account.operator.client.send(`${account.path}/keys`), 200);
      t.that(!listed.text.includes(client.key), 'a list without the key itself', 'the key', listed);
      t.that(listed.text.includes(keyId), `the key ${keyId} in the list`, listed.text.slice(0, 300), listed);
    },
  },
  {
    id: 'keys.roll',
    section: 'keys',
    rule: 'Rolling makes a new key, and the old one works until its grace is over.',
    async run(t) {
      for (const graceMs of GRACES_MS) {
        const account = await t.account('roll');
        const rows = await account.recordMany(3);
        const path = `${account.path}/keys/${account.keyId}/roll`;
        const startedMs = performance.now();
        const rolled = await account.operator.client.json('POST', path, { grace: `${graceMs / 1000}s` });
        if (rolled.status === 404) t.notJudged('the deployment does not roll keys');
        t.status(rolled, 201, 'rolling a key');
        const old = await account.client.list();
        const isOver = performance.now() - startedMs >= graceMs;
        if (old.status === 401 && isOver) continue;
        t.status(old, 200, 'the old key within its grace');
        const fresh = t.deployment.clientFor(rolled.body.key, '$CREATED_KEY');
        await judgeList(t, fresh, rows);
        await new Promise((resolve) => setTimeout(resolve, graceMs));
        await refusedSoon(t, account.client);
        t.status(await fresh.list(), 200, 'the new key');
        return;
      }
      t.notJudged('the deployment answers too slowly');
    },
  },
  {
    id: 'keys.scopes',
    level: 'list',
    rule: 'A key without the scope read is refused with 403 insufficient_scope, except for GET /v1/key.',
    async record(t, account) {
      const client = await account.createKey(['webhooks']);
      const page = await client.list();
      t.problem(page, 403, 'insufficient_scope', 'a list with a key for webhooks alone');
      const own = t.status(await client.send('/v1/key'), 200, 'GET /v1/key, which needs no scope');
      t.same(own.body?.scopes, ['webhooks'], 'the scopes of the key', own);
      const detail = String(page.body?.detail);
      t.that(/\bread\b/.test(detail), 'the scope read in the detail', detail, page);
      const challenge = String(page.header('www-authenticate'));
      const isRight = /^Bearer\b.*error="insufficient_scope"/i.test(challenge);
      t.that(isRight, 'WWW-Authenticate: Bearer error="insufficient_scope"', challenge, page);
    },
  },
]);

/**
 * Waits until the key is refused, because another instance of the service may still accept it for a moment.
 * @param {Context} t @param {AccountClient} client
 */
export async function refusedSoon(t, client) {
  const page = await readCurrent(
    () => client.list(),
    ({ status }) => status === 200,
    LONGEST_MS,
  );
  t.problem(page, 401, 'invalid_api_key', 'a key that has ended');
}
