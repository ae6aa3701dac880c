import { createHash } from 'node:crypto';
import { cells, FIELDS, localOf, matches, newestFirst, totalsOf } from '../arithmetic.ts';
import type { Archived, Export, Feed, Row, Totals, Walk } from '../history.ts';
import type { Life } from '../life.ts';
import type { Rule } from './rule.ts';

function* pairsOf(walk: Walk): Iterable<[Row, Row]> {
  const rows = walk.pages.flatMap((page) => page.rows);
  for (const [index, row] of rows.entries()) if (index > 0) yield [rows[index - 1] as Row, row];
}

const isMoment = (life: Life, { asOf, asOfId, began }: Totals | Export): boolean =>
  asOf <= life.feed.length && asOfId === life.idOf(asOf) && asOf >= life.knownBefore(began);

const matchesAs = (row: Row, walk: Walk, keepsDetails: boolean): boolean => {
  const { details: _, ...without } = row;
  return matches(keepsDetails ? row : without, walk.filter);
};

export const READ_RULES: readonly Rule[] = [
  {
    says: 'Each page of a list except the last has ten rows. Each page of a search has at most 100',
    *broken(life) {
      for (const { kind, filter, pages, began, ended } of life.of('walk'))
        for (const [index, { rows }] of pages.entries()) {
          const isLast = index === pages.length - 1;
          // The previous page promised more rows, but an archive can remove them before this page is read.
          const canBeEmpty =
            index === 0 || life.archives.some((one) => one.began < ended && one.ended > began);
          const isRight = isLast ? rows.length <= 10 && (rows.length > 0 || canBeEmpty) : rows.length === 10;
          if (kind === 'search' ? rows.length > 100 : !isRight) yield { filter, size: rows.length };
        }
    },
  },
  {
    says: 'Newest first: by createdAt descending, and of the same millisecond by reference: a page is not in order',
    *broken(life) {
      for (const walk of life.of('walk'))
        for (const pair of pairsOf(walk)) if (newestFirst(...pair) >= 0) yield { filter: walk.filter, pair };
    },
  },
  {
    says: 'A list has only transactions that match its filter, as the account had them at that time',
    *broken(life) {
      for (const walk of life.of('walk'))
        for (const page of walk.pages)
          for (const row of page.rows) {
            const isFound = matches(row, walk.filter) || foundByRemoved(life, row, walk);
            if (!isFound || !life.isSeen(row, page)) yield { filter: walk.filter, row };
          }
    },
  },
  {
    says: 'A caller that reads all pages gets each item that exists and matches until the end: a list lacks one',
    *broken(life) {
      for (const walk of life.of('walk')) {
        const seen = new Set(walk.pages.flatMap(({ rows }) => rows.map(({ reference }) => reference)));
        for (const reference of life.versions.keys()) {
          if (seen.has(reference)) continue;
          const isThere = life.possible(reference, walk).every(({ row, instance }) => {
            const keepsDetails = instance?.removal === undefined || instance.removal.begun > walk.ended;
            return row !== null && matchesAs(row, walk, keepsDetails);
          });
          if (isThere) yield { reference, kind: walk.kind, filter: walk.filter, began: walk.began };
        }
      }
    },
  },
  {
    says: 'Retrieve returns the transaction, as in the list; 404 if the account has none',
    *broken(life) {
      for (const event of life.of('retrieve')) {
        const { reference, row } = event;
        const isRight =
          row === null
            ? life.possible(reference, event).some((version) => version.row === null)
            : row.reference === reference && life.isSeen(row, event);
        if (!isRight) yield event;
      }
    },
  },
  {
    says: 'The changes of one transaction are those of the feed, oldest first',
    *broken(life) {
      for (const event of life.of('changes')) {
        const { reference, changes } = event;
        const states = life.possible(reference, event);
        const isRight =
          changes === null
            ? states.some(({ row }) => row === null)
            : states.some(({ row, sequence, instance }) => {
                if (row === null) return false;
                const wanted = [...new Set([instance?.first ?? sequence, sequence])];
                const isSame = changes.every((change, at) => life.isChange(change, wanted[at] ?? 0, event));
                return changes.length === wanted.length && isSame;
              });
        if (!isRight) yield event;
      }
    },
  },
  {
    says: 'If the change at after has another id than afterId, the response is 409; below the floor it is 410',
    *broken(life) {
      for (const event of life.of('feed')) {
        const { after, afterId, status, floorSequence } = event;
        const floors = life.floors(event);
        const isOther = afterId !== null && life.idOf(after) !== afterId;
        const expected = new Set(floors.map((floor) => (after < floor ? 410 : isOther ? 409 : 200)));
        if (isOther && status === 409) continue;
        if (!expected.has(status)) yield { event, expected: [...expected] };
        else if (status === 410 && !floors.includes(floorSequence ?? -1)) yield { event, floors };
      }
    },
  },
  {
    says: 'A page of the feed has the changes with larger numbers, up to the head',
    *broken(life) {
      for (const event of life.of('feed')) if (event.status === 200 && !isPage(life, event)) yield event;
    },
  },
  {
    says: 'Totals and exports are snapshots: not from before an acknowledged recording, and not of another history',
    *broken(life) {
      for (const event of [...life.of('totals'), ...life.of('export')])
        if (!isMoment(life, event)) yield { ...event, text: '', known: life.knownBefore(event.began) };
    },
  },
  {
    says: 'List, totals and export agree to the cent up to the same number: the totals differ from the changes',
    *broken(life) {
      for (const event of life.of('totals')) {
        const expected = life
          .possibleArchives(event)
          .map((without) => totalsOf(life.rowsAt(event.asOf, without), event.filter, event.by));
        const text = JSON.stringify(event.rows);
        if (!expected.some((one) => JSON.stringify(one) === text)) yield { event, expected: expected[0] };
      }
    },
  },
  {
    says: 'An export sends all transactions that match, in the order of the list, as they were after one change',
    *broken(life) {
      for (const event of life.of('export')) {
        const differences = life.possibleArchives(event).map((without) => differenceOf(life, event, without));
        if (differences.every((one) => one !== undefined)) yield { ...event, text: '', ...differences[0] };
      }
    },
  },
  {
    says: 'A manifest describes its export',
    *broken(life) {
      for (const event of life.of('export')) {
        const { manifest, text, asOf } = event;
        const bytes = Buffer.from(text);
        const isRight =
          manifest.state === 'complete' &&
          manifest.bytes === bytes.length &&
          manifest.sha256 === createHash('sha256').update(bytes).digest('hex') &&
          manifest.asOf === asOf;
        const totals = life.possibleArchives(event).map((without) => {
          const rows = life.rowsAt(asOf, without).filter((row) => matches(row, event.filter));
          return JSON.stringify([rows.length, totalsOf(rows, {}, null)]);
        });
        if (!isRight || !totals.includes(JSON.stringify([manifest.rows, manifest.totals]))) yield manifest;
      }
    },
  },
];

const foundByRemoved = (life: Life, row: Row, walk: Walk): boolean =>
  row.detailsRemovedAt !== undefined &&
  life
    .possible(row.reference, walk)
    .some((version) => version.row !== null && matches(version.row, walk.filter));

function isPage(life: Life, event: Feed): boolean {
  const { after, changes, lastSequence, lastId, headSequence, hasMore, began } = event;
  const isEach = changes.every((change, index) => life.isChange(change, after + index + 1, event));
  const isLast = lastSequence === after + changes.length && lastId === life.idOf(lastSequence);
  const isHead = headSequence <= life.feed.length && headSequence >= life.knownBefore(began);
  const isEnd = hasMore === lastSequence < headSequence && (changes.length > 0 || headSequence <= after);
  return isEach && isLast && isHead && isEnd;
}

const NAMES = ['reference', ...FIELDS] as const;

function differenceOf(life: Life, event: Export, without: readonly Archived[]): object | undefined {
  const { filter, asOf, text, format } = event;
  const expected = life
    .rowsAt(asOf, without)
    .filter((row) => matches(row, filter))
    .sort(newestFirst);
  const lines = text.split(format === 'csv' ? '\r\n' : '\n').slice(0, -1);
  const isRow = format === 'csv' ? csvLine(filter['timeZone'], lines.shift()) : ndjsonLine(life, event);
  const at = expected.findIndex((row, index) => !isRow(row, lines[index] ?? ''));
  if (at === -1 && lines.length === expected.length) return undefined;
  return { rows: lines.length, expected: expected.length, differsAt: at, line: lines[at], row: expected[at] };
}

function csvLine(
  timeZone: string | undefined,
  header: string | undefined,
): (row: Row, line: string) => boolean {
  const names = [...NAMES, ...(timeZone === undefined ? [] : ['paidAtLocal', 'createdAtLocal'])];
  if (header !== names.join(',')) return () => false;
  return (row, line) => {
    const local = (time: string | null) => (time === null ? '' : localOf(time, timeZone ?? 'UTC'));
    const locals = timeZone === undefined ? [] : [local(row.paidAt), local(row.createdAt)];
    const values = [...NAMES.map((name) => row[name] ?? ''), ...locals];
    return JSON.stringify(cells(line)) === JSON.stringify(values);
  };
}

const ndjsonLine =
  (life: Life, event: Export) =>
  (row: Row, line: string): boolean => {
    const removed = life.possible(row.reference, event).find(({ instance }) => instance?.removal);
    return life.isAs(JSON.parse(line || '{}'), { row, instance: removed?.instance }, event);
  };
