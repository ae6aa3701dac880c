import { createHash } from 'node:crypto';
import { bareOf, detailsOf } from '../arithmetic.ts';
import { isByKey } from '../history.ts';
import type { Life } from '../life.ts';
import type { Rule } from './rule.ts';

function stateBefore(life: Life, sequence: number) {
  const { reference } = life.feed[sequence - 1]?.transaction ?? { reference: '' };
  const versions = life.versions.get(reference) ?? [];
  const at = versions.findIndex((version) => version.row !== null && version.sequence === sequence);
  return versions[at - 1]?.row ?? undefined;
}

export const CHANGE_RULES: readonly Rule[] = [
  {
    says: 'No number is missing, and none is given twice',
    *broken({ missing }) {
      if (missing !== undefined) yield { missing };
    },
  },
  {
    says: 'No two changes of an account have the same id',
    *broken({ feed }) {
      const ids = new Set<string>();
      for (const change of feed) {
        if (ids.has(change.id)) yield change;
        ids.add(change.id);
      }
    },
  },
  {
    says: 'A change never changes',
    *broken(life) {
      for (const event of [...life.of('final'), ...life.of('feed')])
        for (const change of event.changes)
          if (!life.isChange(change, change.sequence, event)) yield [change, life.feed[change.sequence - 1]];
    },
  },
  {
    says: 'The type is transaction.STATUS with the new status. previousStatus is the status before the change',
    *broken(life) {
      for (const [index, change] of life.feed.entries()) {
        const { type, previousStatus, transaction } = change;
        const before = stateBefore(life, index + 1);
        if (type !== `transaction.${transaction.status}` || previousStatus !== (before?.status ?? null))
          yield change;
      }
    },
  },
  {
    says: 'A pending transaction can take another status, once. No other field ever changes',
    *broken(life) {
      for (const [index, change] of life.feed.entries()) {
        const before = stateBefore(life, index + 1);
        if (before === undefined) continue;
        const { transaction: row } = change;
        const isAdvance = before.status === 'pending' && row.status !== 'pending';
        const same = { ...row, status: before.status, paidAt: before.paidAt };
        if (!isAdvance || bareOf(same) !== bareOf(before)) yield [before, change];
      }
    },
  },
  {
    says: 'A change has a transaction that was sent for the account: nobody sent this one',
    *broken(life) {
      for (const [index, { transaction }] of life.feed.entries()) {
        const senders = life.sendersOf(transaction, index + 1);
        const shown = detailsOf(transaction);
        const isSent =
          senders.some(({ given }) => detailsOf(given) === shown) ||
          transaction.detailsRemovedAt !== undefined;
        if (senders.length === 0 || !isSent) yield transaction;
      }
    },
  },
  {
    says: 'A second request with the same Idempotency-Key gets the same response: one key has recorded two transactions',
    *broken({ feed }) {
      const owners = new Map<string | null, string>();
      for (const { transaction } of feed) {
        const { merchantReference, reference } = transaction;
        if (!isByKey(merchantReference)) continue;
        if ((owners.get(merchantReference) ?? reference) !== reference) yield transaction;
        owners.set(merchantReference, reference);
      }
    },
  },
  {
    says: 'Everything acknowledged before a backup exists after its restore',
    *broken({ parent, restored }) {
      const known = parent?.life.knownBefore(parent.backedUp) ?? 0;
      if (restored < known) yield { known, restored };
    },
  },
  {
    says: 'A change that is recorded again after a restore has another id: one has the id of a lost change',
    *broken({ parent, restored, feed }) {
      const lost = new Set(parent?.life.feed.slice(restored).map(({ id }) => id));
      for (const change of feed.slice(restored)) if (lost.has(change.id)) yield change;
    },
  },
  {
    says: 'A seal is computed from the changes up to it, as the feed shows them: one is not',
    *broken(life) {
      const seals = sealsOf(life);
      for (const event of life.of('seal'))
        if (event.id !== life.idOf(event.sequence) || event.seal !== seals[event.sequence]) yield event;
    },
  },
  {
    says: 'The list of accounts has the number and the id of the last change',
    *broken(life) {
      for (const event of life.of('head'))
        if (event.sequence < life.knownBefore(event.began) || event.id !== life.idOf(event.sequence))
          yield event;
    },
  },
  {
    says: 'A caller that follows the feed misses nothing: its copy differs from the feed',
    *broken(life) {
      for (const event of life.of('followed')) {
        const last = life.knownBefore(event.began);
        const at = event.changes.findIndex((change, index) => change.id !== life.idOf(index + 1));
        if (at !== -1 || event.changes.length < last)
          yield { copied: event.changes.length, last, differsAt: at + 1 };
      }
    },
  },
];

function sealsOf({ feed }: Life): string[] {
  let seal: Buffer = Buffer.alloc(32);
  return [
    seal.toString('hex'),
    ...feed.map(({ sequence, id, previousStatus, recordedAt, transaction: row }) => {
      const { reference, merchantReference, amount, currencyCode, paidAt, createdAt, relatedTo } = row;
      const changed = [sequence, id, row.status, previousStatus, recordedAt, reference, merchantReference];
      const sealed = [...changed, amount, currencyCode, paidAt, createdAt, relatedTo ?? null];
      seal = createHash('sha256').update(seal).update(JSON.stringify(sealed)).digest();
      return seal.toString('hex');
    }),
  ];
}
