import { bareOf, detailsOf } from '../arithmetic.ts';
import type { Given, Recorded, Row } from '../history.ts';
import type { Life } from '../life.ts';
import type { Rule } from './rule.ts';

const referenceOf = ({ given, shown }: Recorded): string => given.reference ?? shown?.reference ?? '';

function contradicts(given: Given, { row, removed }: { row: Row; removed: boolean }): boolean {
  const isAdvance = row.status === 'pending' && given.status !== 'pending';
  const fields = isAdvance ? { ...row, status: given.status, paidAt: given.paidAt } : row;
  if (bareOf(given, row.reference) !== bareOf(fields)) return true;
  if (removed) return false;
  if (!isAdvance) return detailsOf(given) !== detailsOf(row);
  return Object.entries(row.details ?? {}).some(([name, text]) => given.details?.[name] !== text);
}

const canContradict = (life: Life, event: Recorded, reference: string): boolean =>
  life.possible(reference, event).some(({ row, instance }) => {
    if (row === null) return false;
    const isPerhapsRemoved = (instance?.removal?.begun ?? Number.POSITIVE_INFINITY) < event.ended;
    const isSurelyRemoved = (instance?.removal?.settled ?? Number.POSITIVE_INFINITY) < event.began;
    return (
      (!isSurelyRemoved && contradicts(event.given, { row, removed: false })) ||
      (isPerhapsRemoved && contradicts(event.given, { row, removed: true }))
    );
  });

const acknowledged = ({ outcome }: Recorded) =>
  ['recorded', 'changed', 'unchanged', 'imported'].includes(outcome);

const madeBy = (life: Life): Recorded[] =>
  life.of('record').filter((one) => ['recorded', 'changed'].includes(one.outcome) && one.isReplayed !== true);

const archivesOf = ({ archives }: Life, { given }: Recorded) =>
  archives.filter(({ before }) => given.createdAt.slice(0, 10) < before);

/** If a file contains a transaction twice, pending and final, the import records only the final change. */
const isOvertaken = ({ feed }: Life, { outcome, given }: Recorded): boolean =>
  outcome === 'imported' &&
  feed.some(
    ({ transaction }) =>
      given.status === 'pending' &&
      bareOf({ ...transaction, status: 'pending', paidAt: null }) === bareOf(given),
  );

export const RECORDING_RULES: readonly Rule[] = [
  {
    says: 'An Idempotency-Key is refused only if it was sent with other fields too: one is refused without that',
    *broken(life) {
      const reused = life.of('record').filter(({ outcome }) => outcome === 'key reused');
      for (const event of reused) {
        const others = life.recorded.filter(
          ({ key, given }) => key === event.key && textOf(given) !== textOf(event.given),
        );
        if (!others.some(({ began }) => began < event.ended)) yield event;
      }
    },
  },
  {
    says: 'A second request with the same Idempotency-Key and other fields gets 409: both are recorded',
    *broken(life) {
      const made = life.of('record').filter((event) => event.key !== undefined && acknowledged(event));
      for (const [, events] of Map.groupBy(made, ({ key }) => key))
        if (new Set(events.map(({ given }) => textOf(given))).size > 1) yield events;
    },
  },
  {
    says: 'Only a transaction that contradicts a recorded one gets 409 transaction_conflict',
    *broken(life) {
      for (const event of life.of('record'))
        if (event.outcome === 'conflict' && !canContradict(life, event, referenceOf(event))) yield event;
    },
  },
  {
    says: 'A new transaction is refused only if its day is archived',
    *broken(life) {
      for (const event of life.of('record').filter(({ outcome }) => outcome === 'day archived'))
        if (!archivesOf(life, event).some(({ began }) => began < event.ended)) yield event;
    },
  },
  {
    says: 'No new transaction is recorded on an archived day',
    *broken(life) {
      for (const event of madeBy(life).filter(({ outcome }) => outcome === 'recorded'))
        if (archivesOf(life, event).some(({ ended }) => ended < event.began)) yield event;
    },
  },
  {
    says: 'A recorded transaction is durable before it is acknowledged: an acknowledged one is not in the feed as it was sent',
    *broken(life) {
      for (const event of life.of('record')) {
        if (!acknowledged(event)) continue;
        const change = life.feed[life.sequenceOf(event) - 1];
        const row = change?.transaction;
        if (row === undefined && isOvertaken(life, event)) continue;
        if (row === undefined || bareOf(row) !== bareOf(event.given, row.reference)) yield [event, change];
        else if (event.id !== undefined && event.id !== change?.id) yield [event, change];
      }
    },
  },
  {
    says: 'The response to a recording has the transaction of its change',
    *broken(life) {
      for (const event of life.of('record')) {
        const { shown } = event;
        const sequence = life.sequenceOf(event);
        const row = life.feed[sequence - 1]?.transaction;
        if (shown === undefined || row === undefined) continue;
        const version = life.versionOf(row.reference, sequence);
        if (version === undefined || !life.isAs(shown, version, event)) yield [event, row];
      }
    },
  },
  {
    says: 'recorded: the transaction is new; changed: it took another status; unchanged: it was recorded like this already',
    *broken(life) {
      for (const event of madeBy(life)) {
        const change = life.feed[life.sequenceOf(event) - 1];
        const isFirst = change?.previousStatus === null;
        if (change !== undefined && isFirst !== (event.outcome === 'recorded')) yield [event, change];
      }
    },
  },
  {
    says: 'A change is made once: two responses say that they made it',
    *broken(life) {
      const makers = new Set<number>();
      for (const event of madeBy(life)) {
        const sequence = life.sequenceOf(event);
        if (makers.has(sequence)) yield event;
        makers.add(sequence);
      }
    },
  },
  {
    says: 'A later recording never gets a smaller number',
    *broken(life) {
      for (const event of madeBy(life)) {
        const sequence = life.sequenceOf(event);
        if (sequence !== 0 && sequence <= life.knownBefore(event.began)) yield event;
      }
    },
  },
  {
    says: 'A removal of details succeeds if and only if the transaction exists',
    *broken(life) {
      for (const event of life.of('remove')) {
        const possible = life.possible(event.reference, event);
        if (!possible.some(({ row }) => (row !== null) === event.isThere)) yield event;
      }
    },
  },
  {
    says: 'Details that were removed stay removed, with the time of their removal',
    *broken(life) {
      const times = new Map<object, string>();
      for (const event of life.own) {
        for (const row of rowsOf(event)) {
          if (row.detailsRemovedAt === undefined) continue;
          const [version] = life.possible(row.reference, event).filter((one) => one.row !== null);
          if (version?.instance === undefined) continue;
          const time = times.get(version.instance) ?? row.detailsRemovedAt;
          if (time !== row.detailsRemovedAt) yield [row, time];
          times.set(version.instance, time);
        }
      }
    },
  },
  {
    says: 'An archive moves the final transactions that were created before a day to its file, and no others',
    *broken(life) {
      for (const event of life.of('archive')) {
        const moved = new Set(event.rows.map(({ reference }) => reference));
        if (moved.size !== event.rows.length) yield { before: event.before, twice: event.rows };
        for (const reference of life.versions.keys()) {
          const [state] = life.possible(reference, { began: event.began, ended: event.began });
          const row = state?.row;
          const isOld = row != null && row.status !== 'pending' && row.createdAt.slice(0, 10) < event.before;
          if (isOld !== moved.has(reference)) yield { before: event.before, isOld, row };
        }
        for (const row of event.rows) {
          const [state] = life.possible(row.reference, { began: event.began, ended: event.began });
          if (state === undefined || !life.isAs(row, state, event)) yield { row, state: state?.row };
        }
      }
    },
  },
];

function rowsOf(event: Life['own'][number]): Row[] {
  if (event.op === 'walk') return event.pages.flatMap(({ rows }) => rows);
  if (event.op === 'feed' || event.op === 'final') return event.changes.map(({ transaction }) => transaction);
  if (event.op === 'changes') return (event.changes ?? []).map(({ transaction }) => transaction);
  if (event.op === 'retrieve') return event.row === null ? [] : [event.row];
  return [];
}

const textOf = (given: Given): string => `${bareOf(given)} ${detailsOf(given)}`;
