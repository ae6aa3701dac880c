import { manifestOf } from '../account-export.js';
import { readExported } from '../export-file.js';
import { changesOf, headOf, readChanges } from '../feed.js';
import { pagesOf } from '../page-through.js';
import { checksOf } from './check.js';

const MAX_PAGES = 200;

export default checksOf({ level: 'record', section: 'looking-up', needs: 'operator' }, [
  {
    id: 'look-up.same',
    rule: 'The operator reads the same of an account as the account itself: its list, a transaction with its changes, its search, changes and totals.',
    async run(t) {
      const account = await recorded(t, 'look-up');
      for (const path of [
        '/transactions?status=pending',
        '/transactions/row-0001',
        '/transactions/row-0001/changes',
        '/search?text=row-000',
        '/changes?after=2&limit=3',
        '/totals?by=day',
      ]) {
        const own = t.status(await account.client.send(`/v1${path}`), 200);
        const read = t.status(await readAsOperator(t, account, path), 200);
        t.same(withoutCursor(read), withoutCursor(own), `the body of ${path}`, read);
      }
    },
  },
  {
    id: 'look-up.faults',
    rule: 'A faulty request of the operator gets the error that the account gets.',
    async run(t) {
      const account = await recorded(t, 'look-up-faults');
      for (const path of [
        '/transactions?status=Pending',
        '/transactions/none',
        '/transactions/none/changes',
        '/search?text=ab',
        '/changes?after=100',
        '/totals?by=year',
        '/transactions.csv?from=none',
        '/exports/none',
      ]) {
        const own = await account.client.send(`/v1${path}`);
        const read = await readAsOperator(t, account, path);
        t.same([read.status, read.body?.code], [own.status, own.body?.code], `the error of ${path}`, read);
      }
    },
  },
  {
    id: 'look-up.exports',
    rule: 'An export of the operator has the bytes of the account, and belongs to the account: both retrieve its manifest, and no other account has it.',
    async run(t) {
      const account = await recorded(t, 'look-up-export');
      const other = await t.account('look-up-other');
      const whole = await readExported(account.client, 'csv');
      const read = await readAsOperator(t, account, '/transactions.csv');
      t.status(read, 200);
      t.same(read.text, whole.bytes.toString(), "the operator's file", read);
      const id = read.header('export-id') ?? '';
      const { body } = await manifestOf(account.client, id);
      t.same(body?.state, 'complete', 'the manifest for the account', read);
      for (const made of [id, whole.id]) {
        const manifest = await readAsOperator(t, account, `/exports/${made}`);
        t.same([manifest.status, manifest.body?.rows], [200, whole.rows.length], 'the manifest', manifest);
        t.problem(await readAsOperator(t, other, `/exports/${made}`), 404, 'not_found', 'another account');
      }
    },
  },
  {
    id: 'look-up.isolation',
    rule: 'Below the path of an account, nothing of another account is found: no transaction, no change, no cursor.',
    async run(t) {
      const account = await recorded(t, 'look-up-one');
      const other = await t.account('look-up-two');
      await other.record('alone');
      for (const path of ['/transactions/row-0001', '/transactions/row-0001/changes'])
        t.problem(await readAsOperator(t, other, path), 404, 'not_found', "another account's transaction");
      const changes = changesOf(await readAsOperator(t, other, '/changes'));
      const references = changes.data.map(({ transaction }) => transaction.reference);
      t.same(references, ['alone'], 'the changes of the other account');
      const { body } = await readAsOperator(t, account, '/transactions');
      t.that(typeof body?.nextCursor === 'string', 'a page that has a next one', String(body?.nextCursor));
      const cursor = encodeURIComponent(body.nextCursor);
      const moved = await readAsOperator(t, other, `/transactions?cursor=${cursor}`);
      t.fault(moved, 'cursor_malformed', 'cursor', "another account's cursor");
    },
  },
  {
    id: 'look-up.account-key',
    rule: "The key of an account reads nothing on the operator's interface.",
    async run(t) {
      const account = await recorded(t, 'look-up-key');
      const authorization = `Bearer ${account.client.key}`;
      for (const path of ['/transactions', '/search?text=row', '/changes', '/totals', '/transactions.csv']) {
        const sent = await account.operator.client.send(account.path + path, { authorization });
        t.that([401, 403].includes(sent.status), 'status 401 or 403', sent, sent);
      }
    },
  },
  {
    id: 'look-up.heads',
    rule: 'The list of accounts is in the order of their names, and has the number and the id of the last change of each.',
    async run(t) {
      const account = await recorded(t, 'look-up-heads');
      const empty = await t.account('look-up-heads-0');
      const found = new Map();
      let last = '';
      const { client } = account.operator;
      if ((await client.send('/v1/accounts')).status === 403)
        t.notJudged("the operator's key lacks the scope read");
      let pages = 0;
      for await (const page of pagesOf(t, client, '/v1/accounts')) {
        if (++pages === MAX_PAGES) t.notJudged(`the service has more than ${MAX_PAGES} pages of accounts`);
        for (const listed of page.body.data) {
          t.that(last < listed.account, `an account after ${last}`, listed.account, page);
          last = listed.account;
          found.set(last, listed);
        }
        t.that(page.body.hasMore || found.has(account.id), `${account.id} in the list`, 'its end', page);
        if (found.has(account.id) && found.has(empty.id)) break;
      }
      const headSequence = await headOf(account.client);
      const { lastId } = changesOf(await readChanges(account.client, { after: String(headSequence) }));
      t.same(found.get(account.id), { account: account.id, headSequence, headId: lastId }, 'the account');
      const unchanged = { account: empty.id, headSequence: 0, headId: null };
      t.same(found.get(empty.id), unchanged, 'one without changes');
    },
  },
]);

/** @param {Context} t @param {string} name */
async function recorded(t, name) {
  const account = await t.account(name);
  const [, row] = await account.recordMany(12);
  await account.pay(row);
  return account;
}

/** @param {Context} t @param {OwnAccount} account @param {string} path */
async function readAsOperator(t, { operator, path: root }, path) {
  const read = await operator.client.send(root + path, { timeoutMs: 120_000 });
  if (read.status === 403) t.notJudged("the operator's key lacks the scope read");
  return read;
}

/** Each response has its own cursor, so only the cursor's type is compared. @param {Exchange} exchange */
const withoutCursor = ({ body }) => ({ ...body, nextCursor: typeof body?.nextCursor });
