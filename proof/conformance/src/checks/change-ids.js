import { exportOf, manifestOf } from '../account-export.js';
import { FORMATS } from '../export-file.js';
import { changesOf, readChanges, someChanges } from '../feed.js';
import { checksOf } from './check.js';

const ID = /^[A-Za-z0-9_-]{1,40}$/;
/** @param {string} id */
const otherThan = (id) => id.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));

const NO_CHANGE = `chg_${'A'.repeat(22)}`;

/** @param {Context} t @param {number} sequence */
async function idAt(t, sequence) {
  if (sequence === 0) return null;
  const page = await readChanges(t.client, { after: String(sequence - 1), limit: '1' });
  return changesOf(page).data[0]?.id ?? null;
}

export default checksOf({ level: 'changes', section: 'changes' }, [
  {
    id: 'changes.ids',
    rule: 'Each change has an id of at most 40 letters, digits, - and _, which no other change has, and which is the same on every page.',
    async run(t) {
      const { changes, pages } = await someChanges(t);
      for (const { sequence, id } of changes)
        t.that(typeof id === 'string' && ID.test(id), `an id of change ${sequence}`, String(id), pages[0]);
      t.same(new Set(changes.map(({ id }) => id)).size, changes.length, 'different ids', pages[0]);
      for (const { sequence, id } of t.random.sample(changes, 3)) {
        const again = await readChanges(t.client, { after: String(sequence - 1), limit: '1' });
        t.same(changesOf(again).data[0]?.id, id, `the id of change ${sequence}`, again);
      }
    },
  },
  {
    id: 'changes.last-id',
    rule: 'lastId is the id of the change lastSequence, even if data is empty, and null if lastSequence is 0.',
    async run(t) {
      const { changes, pages } = await someChanges(t);
      const last = changes[changes.length - 1];
      t.same(changesOf(pages[pages.length - 1]).lastId, last.id, 'lastId', pages.at(-1));
      const end = await readChanges(t.client, { after: String(last.sequence) });
      const { data, lastId } = changesOf(end);
      t.same(lastId, data[data.length - 1]?.id ?? last.id, 'lastId after the last change', end);
    },
  },
  {
    id: 'changes.last-id.none',
    rule: 'lastId is null for an account without changes.',
    needs: 'operator',
    async record(t, account) {
      const page = await readChanges(account.client, {});
      t.same(changesOf(page).lastId, null, 'lastId of an account without changes', page);
    },
  },
  {
    id: 'changes.after-id',
    rule: 'If afterId is the id of the change at after, the page is the same as without afterId.',
    async run(t) {
      const { changes } = await someChanges(t);
      for (const { sequence, id } of t.random.sample(changes, 3)) {
        const query = { after: String(sequence), limit: '1' };
        const without = await readChanges(t.client, query);
        const page = await readChanges(t.client, { ...query, afterId: id });
        t.status(page, 200);
        // An empty page may have a new change when it is read again.
        if (changesOf(without).data.length > 0)
          t.same(changesOf(page).data, changesOf(without).data, 'the changes', page);
      }
    },
  },
  {
    id: 'changes.after-id.other',
    rule: 'With another afterId, or beyond the last change, the response is 409 history_changed with headSequence: the service was restored.',
    async run(t) {
      const { changes } = await someChanges(t);
      const { sequence, id } = changes[changes.length - 1];
      for (const [after, afterId] of /** @type {const} */ ([
        [sequence, otherThan(id)],
        ...(sequence > 1 ? [/** @type {const} */ ([sequence - 1, id])] : []),
        [sequence + 1_000_000, id],
      ])) {
        const page = await readChanges(t.client, { after: String(after), afterId });
        t.problem(page, 409, 'history_changed');
        const { headSequence } = page.body;
        const isRight = Number.isSafeInteger(headSequence) && headSequence >= sequence;
        t.that(isRight, `headSequence, ${sequence} or larger`, String(headSequence), page);
      }
    },
  },
  {
    id: 'changes.after-id.invalid',
    rule: 'An afterId that does not have the form of an id, or that is sent with after=0, is 400 invalid_change_id.',
    run: (t) =>
      t.each(['', 'a b', 'ä', 'x'.repeat(41), NO_CHANGE], async (afterId) => {
        const after = afterId === NO_CHANGE ? '0' : '1';
        t.fault(await readChanges(t.client, { after, afterId }), 'invalid_change_id', 'afterId');
      }),
  },
  {
    id: 'totals.as-of-id',
    level: 'totals',
    section: 'totals',
    rule: 'asOfId is the id of the change asOf, or null if asOf is 0.',
    async run(t) {
      const page = t.status(await t.get('/v1/totals'), 200);
      const { asOf, asOfId } = page.body;
      t.same(asOfId, await idAt(t, asOf), `asOfId, the id of change ${asOf}`, page);
    },
  },
  {
    id: 'export.as-of-id',
    level: 'export',
    section: 'exports',
    rule: 'Export-As-Of-Id and asOfId of the manifest are the id of the change Export-As-Of.',
    async run(t) {
      for (const format of FORMATS) {
        const file = await exportOf(t, format);
        const id = await idAt(t, file.asOf);
        t.same(file.response.header('export-as-of-id') ?? null, id, 'Export-As-Of-Id', file.response);
        const manifest = t.status(await manifestOf(t.client, file.id), 200);
        t.same(manifest.body.asOfId, id, 'asOfId of the manifest', manifest);
      }
    },
  },
]);
