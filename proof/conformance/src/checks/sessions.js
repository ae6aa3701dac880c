import { judgeList } from '../own-lists.js';
import { checksOf } from './check.js';
import { refusedSoon } from './keys.js';

const PERSON = 'ada of the conformance kit';

export default checksOf({ level: 'record', section: 'sessions', needs: 'operator' }, [
  {
    id: 'sessions.open',
    rule: 'The code of a session is exchanged for a key, which reads only its account, within its scopes.',
    async record(t, account) {
      const rows = await account.recordMany(3);
      const { session, code } = await created(t, account);
      const { client, opened } = await open(t, account, code);
      t.same(
        [opened.body.account, opened.body.person, opened.body.scopes],
        [account.id, PERSON, ['read']],
        'account, person and scopes of the opened session',
        opened,
      );
      const endsAt = new Date(Date.parse(session.createdAt) + 3_600_000).toISOString();
      const ends = [session.expiresAt, opened.body.expiresAt];
      t.same(ends, [endsAt, endsAt], 'the end of the session, an hour after its beginning', opened);
      await judgeList(t, client, rows);
      const own = t.status(await client.send('/v1/key'), 200);
      t.same(
        [own.body.kind, own.body.person, own.body.id],
        ['session', PERSON, session.id],
        'kind, person and id of GET /v1/key',
        own,
      );
      t.problem(await client.send('/v1/webhooks'), 403, 'insufficient_scope');
    },
  },
  {
    id: 'sessions.once',
    rule: 'A code works once, even in concurrent exchanges, and a used code gets the same response as an unknown one.',
    async record(t, account) {
      const { code } = await created(t, account);
      const exchanged = await Promise.all([1, 2, 3, 4].map(() => exchange(account, code)));
      for (const { body } of exchanged) if (body?.key) t.deployment.secrets.add(body.key, '$SESSION_KEY');
      t.same(
        exchanged.map(({ status }) => status).sort(),
        [201, 401, 401, 401],
        'the statuses of four exchanges of a code at the same time',
      );
      const used = await exchange(account, code);
      const unknown = await exchange(account, `${code.slice(0, -8)}00000000`);
      for (const refused of [used, unknown])
        t.problem(refused, 401, 'invalid_code', 'a code that is not valid');
      t.same(used.body.detail, unknown.body.detail, 'the detail for a used and for an unknown code', used);
    },
  },
  {
    id: 'sessions.ended',
    rule: 'A session that is ended, alone or with all sessions of its person, is refused soon, and its code at once.',
    async record(t, account) {
      const path = `${account.path}/sessions`;
      const { client: operator } = account.operator;
      const alone = await created(t, account);
      const { client } = await open(t, account, alone.code);
      const other = await t.account('session-other');
      const end = (/** @type {string} */ url) => operator.send(url, { method: 'DELETE' });
      const foreign = await end(`${other.path}/sessions/${alone.session.id}`);
      t.problem(foreign, 404, 'not_found', 'ending a session through another account');
      t.status(await end(`${path}/${alone.session.id}`), 204);
      await refusedSoon(t, client);
      const waiting = await created(t, account);
      const query = `?person=${encodeURIComponent(PERSON)}`;
      t.status(await end(path + query), 204);
      t.problem(await exchange(account, waiting.code), 401, 'invalid_code', 'the code of an ended session');
      t.problem(await end(path), 400, 'invalid_person');
      const listed = t.status(await operator.send(path + query), 200);
      const states = listed.body.data.map((/** @type {{ state: string }} */ { state }) => state);
      t.same(states, ['ended', 'ended'], 'the states of ended sessions', listed);
    },
  },
  {
    id: 'sessions.sign-out',
    rule: 'A session ends itself with DELETE /v1/session; an ordinary key gets 403 not_a_session, and still works.',
    async record(t, account) {
      const { code } = await created(t, account);
      const { client } = await open(t, account, code);
      const signOut = (/** @type {AccountClient} */ one) => one.send('/v1/session', { method: 'DELETE' });
      t.problem(await signOut(account.client), 403, 'not_a_session', 'signing out with an ordinary key');
      t.status(await account.client.list(), 200, 'the ordinary key after that');
      t.status(await signOut(client), 204, 'signing out');
      await refusedSoon(t, client);
    },
  },
]);

/** @param {Context} t @param {OwnAccount} account */
async function created(t, account) {
  const fields = { person: PERSON, expiresIn: 3600 };
  const response = await account.operator.client.json('POST', `${account.path}/sessions`, fields);
  if (response.status === 404) t.notJudged('the deployment has no sessions');
  if (response.status === 403) t.notJudged("the operator's key does not have the scope sessions");
  t.status(response, 201, 'creating a session');
  const code = t.deployment.secrets.add(response.body.code, '$SESSION_CODE');
  return { session: response.body, code };
}

/** @param {OwnAccount} account @param {string} code */
const exchange = (account, code) =>
  account.client.json('POST', '/v1/session', { code }, {}, { authorization: null });

/** @param {Context} t @param {OwnAccount} account @param {string} code */
async function open(t, account, code) {
  const opened = t.status(await exchange(account, code), 201, 'exchanging a code');
  return { opened, client: t.deployment.clientFor(opened.body.key, '$SESSION_KEY') };
}
