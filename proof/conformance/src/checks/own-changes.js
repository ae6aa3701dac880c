import { changesOf, lastChanges, readChanges, readFeed } from '../feed.js';
import { judgeList, readCurrent } from '../own-lists.js';
import { inOneOrder } from '../transaction.js';
import { checksOf } from './check.js';

export default checksOf({ level: 'changes', section: 'changes', needs: 'operator' }, [
  {
    id: 'changes.recorded',
    rule: 'A recording and a payment each make one change, with the transaction as it was right after it; repetitions and refusals make none.',
    async record(t, account) {
      const one = await account.record('pay_1');
      const two = await account.record('pay_2', { status: 'completed', amount: '7.00' });
      await account.put('pay_1', one);
      await account.put('pay_1', { ...one, amount: '1.00' });
      await account.put('pay_3', { amount: 'x' });
      const paid = await account.pay(one);
      const page = await settledChanges(account.client, 3);
      const { data, headSequence } = changesOf(page);
      const expected = /** @type {const} */ ([
        ['transaction.pending', null, one],
        ['transaction.completed', null, two],
        ['transaction.completed', 'pending', paid],
      ]);
      for (const [index, [type, before, row]] of expected.entries()) {
        const { sequence, type: got, previousStatus, transaction } = data[index] ?? {};
        const change = [sequence, got, previousStatus, inOneOrder(transaction)];
        t.same(change, [index + 1, type, before, inOneOrder(row)], `change ${index + 1}`, page);
      }
      t.same([data.length, headSequence], [3, 3], 'the number of changes, and headSequence', page);
    },
  },
  {
    id: 'changes.concurrent',
    rule: 'While transactions are recorded concurrently, a reader of the feed never sees a gap, and no later change has a smaller number than one it has seen.',
    async record(t, account) {
      const read = [];
      let isDone = false;
      const done = account.recordMany(40).finally(() => {
        isDone = true;
      });
      // If the check fails before `await done`, an error of `done` must not end the process.
      done.catch(() => undefined);
      for (let after = 0, isLast = false; !isLast; ) {
        isLast = isDone;
        const page = await readChanges(account.client, { after: String(after), limit: '10' });
        const { data, lastSequence, hasMore } = changesOf(page);
        for (const { sequence } of data) t.same(sequence, ++after, 'the next number', page);
        read.push(...data);
        after = lastSequence;
        if (hasMore) isLast = false;
      }
      const rows = await done;
      await settledChanges(account.client, rows.length);
      read.push(...changesOf(await readChanges(account.client, { after: String(read.length) })).data);
      t.same(read.length, rows.length, 'changes of all recordings');
      t.same(new Set(lastChanges(read).keys()).size, rows.length, 'transactions in the feed');
    },
  },
  {
    id: 'changes.wait.wakes',
    rule: 'A request that waits is answered at the first change, long before its time is over.',
    async record(t, account) {
      const startedMs = performance.now();
      const waiting = readChanges(account.client, { wait: '25' }, { timeoutMs: 60_000 });
      waiting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const row = await account.record('pay_1');
      if (performance.now() - startedMs > 10_000) t.notJudged('the recording took longer than 10 seconds');
      const page = await waiting;
      const { data } = changesOf(page);
      const references = data.map(({ transaction }) => transaction.reference);
      t.same(references, [row.reference], 'the change', page);
      const seconds = page.elapsedMs / 1000;
      t.that(seconds < 15, 'a response with the change', `one after ${seconds.toFixed(1)} s`, page);
    },
  },
  {
    id: 'changes.isolation',
    rule: 'Numbers belong to one account: the numbers of each account begin with 1, and it sees only its own changes.',
    async run(t) {
      const [one, two] = [await t.account('changes-one'), await t.account('changes-two')];
      await Promise.all([one.recordMany(3), two.recordMany(5, () => ({ amount: '2.00' }))]);
      for (const [account, count, amount] of /** @type {const} */ ([
        [one, 3, '12.50'],
        [two, 5, '2.00'],
      ])) {
        const { changes, pages } = await settledFeed(account.client, count);
        t.same(
          changes.map(({ sequence, transaction }) => [sequence, transaction.amount]),
          Array.from({ length: count }, (_, index) => [index + 1, amount]),
          'the numbers and amounts',
          pages[0],
        );
      }
    },
  },
  {
    id: 'changes.list.own',
    section: 'totals',
    rule: 'After recordings and payments, the last changes of all transactions of an account equal its list.',
    async record(t, account) {
      const rows = await account.recordMany(15);
      for (const row of rows.slice(0, 5)) await account.pay(row);
      const { changes } = await settledFeed(account.client, 20);
      t.same(changes.length, 20, 'changes of 15 recordings and 5 payments');
      await judgeList(t, account.client, [...lastChanges(changes).values()]);
    },
  },
]);

/** @param {AccountClient} client @param {number} count */
const settledChanges = (client, count) =>
  readCurrent(
    () => readChanges(client, {}),
    (page) => changesOf(page).headSequence < count,
  );

/** @param {AccountClient} client @param {number} count */
const settledFeed = (client, count) =>
  readCurrent(
    () => readFeed(client),
    ({ head }) => head < count,
  );
