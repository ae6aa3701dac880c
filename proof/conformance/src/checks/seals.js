import { createHash } from 'node:crypto';
import { changesOf, headOf, readChanges } from '../feed.js';
import { readCurrent } from '../own-lists.js';
import { checksOf } from './check.js';

const NO_SEAL = '0'.repeat(64);
const MAX_CHANGES = 4000;
const GIVE_UP_MS = 30_000;

/** @param {Context} t @param {AccountClient} [client] */
async function readSeal(t, client = t.client) {
  return t.status(await client.send('/v1/seal'), 200);
}

/** @param {Buffer} seal @param {import('../feed.js').Change} change */
function sealAfter(seal, { sequence, id, previousStatus, recordedAt, transaction }) {
  const { status, reference, merchantReference, amount, currencyCode, paidAt, createdAt } = transaction;
  const { relatedTo = null } = /** @type {{ relatedTo?: string | null }} */ (transaction);
  const first = [sequence, id, status, previousStatus, recordedAt, reference, merchantReference];
  const text = JSON.stringify([...first, amount, currencyCode, paidAt, createdAt, relatedTo]);
  return createHash('sha256').update(seal).update(text).digest();
}

/** @param {Context} t @param {AccountClient} client @param {number} upTo */
async function computedSeal(t, client, upTo) {
  /** @type {Buffer} */
  let seal = Buffer.alloc(32);
  let id = null;
  for (let after = 0; after < upTo; ) {
    const page = await readChanges(client, { after: String(after), limit: '1000' });
    const { data } = changesOf(page);
    t.that(data.length > 0, `changes after ${after}`, 'none', page);
    for (const change of data.slice(0, upTo - after)) {
      seal = sealAfter(seal, change);
      id = change.id;
      after = change.sequence;
    }
  }
  return { id, seal: seal.toString('hex') };
}

/** @param {Context} t @param {AccountClient} client @param {number} count */
async function settledSeal(t, client, count) {
  const response = await readCurrent(
    () => readSeal(t, client),
    ({ body }) => body.sequence < count,
    GIVE_UP_MS,
  );
  const { sequence } = response.body;
  t.that(
    sequence >= count,
    `a seal at change ${count} within ${GIVE_UP_MS / 1000} s`,
    `${sequence}`,
    response,
  );
  return response;
}

/** @param {Context} t */
async function firstSeal(t) {
  const headSequence = await headOf(t.client);
  return settledSeal(t, t.client, Math.min(headSequence, 1));
}

export default checksOf({ level: 'seals', section: 'seals' }, [
  {
    id: 'seal.form',
    rule: 'The seal has sequence, id and 64 lower-case hexadecimal digits; sequence is not beyond the last change, and id is that of its change.',
    async run(t) {
      const response = await firstSeal(t);
      const { sequence, id, seal } = response.body;
      t.same(Object.keys(response.body).sort(), ['id', 'seal', 'sequence'], 'the fields', response);
      t.that(/^[0-9a-f]{64}$/.test(seal), '64 hexadecimal digits', String(seal), response);
      const headSequence = await headOf(t.client);
      const isIn = Number.isSafeInteger(sequence) && sequence >= 0 && sequence <= headSequence;
      t.that(isIn, `a sequence from 0 to ${headSequence}`, String(sequence), response);
      if (sequence === 0) return t.same(id, null, 'the id at 0', response);
      const page = await readChanges(t.client, { after: String(sequence - 1), limit: '1' });
      if (page.status === 200 && changesOf(page).data[0]?.sequence === sequence)
        t.same(id, changesOf(page).data[0].id, `the id of change ${sequence}`, response);
    },
  },
  {
    id: 'seal.computed',
    rule: 'The seal is the hash over all changes up to its number, as the feed shows them.',
    async run(t) {
      const response = await firstSeal(t);
      const { sequence, seal } = response.body;
      if (sequence === 0) t.notJudged('the account has no changes');
      if (sequence > MAX_CHANGES) t.notJudged(`the account has more than ${MAX_CHANGES} changes`);
      const first = await t.client.send('/v1/changes', { query: { limit: '1' } });
      if (first.status === 410) t.notJudged('the first changes of the account are archived');
      const computed = await computedSeal(t, t.client, sequence);
      t.same(seal, computed.seal, `the seal at change ${sequence}`, response);
    },
  },
  {
    id: 'seal.none',
    rule: 'An account without changes has the sequence 0, the id null and 64 zeros.',
    needs: 'operator',
    async record(t, account) {
      const response = await readSeal(t, account.client);
      t.same(response.body, { sequence: 0, id: null, seal: NO_SEAL }, 'the seal', response);
    },
  },
  {
    id: 'seal.recorded',
    rule: 'Recorded changes are sealed soon, whatever their values are, and a later seal continues from the one before.',
    needs: 'operator',
    async record(t, account) {
      const one = await account.record('pay_1', { merchantReference: 'Ünï "cödé" \\ 😀', amount: '-12.50' });
      await account.record('pay_2', { status: 'completed', merchantReference: null });
      for (const count of [2, 3]) {
        const response = await settledSeal(t, account.client, count);
        const { sequence, ...rest } = response.body;
        t.same(sequence, count, 'the sequence', response);
        t.same(rest, await computedSeal(t, account.client, count), `the seal at change ${count}`, response);
        if (count === 2) await account.pay(one);
      }
    },
  },
]);
