import { createHash } from 'node:crypto';
import { cells, foldTo, isEqual, localOf, matches, newestFirst, totalsOf } from './arithmetic.ts';
import {
  type Change,
  type Copy,
  type Event,
  type Export,
  type Feed,
  type Final,
  isByKey,
  type Read,
  type Recorded,
  type Retrieved,
  type Row,
  type Sealed,
  type Totals,
  type Walk,
} from './history.ts';

/** The states of one transaction in an era, oldest first, each with the earliest moment at which it can be seen. */
type States = { sequence: number; row: Row; begun: number }[];

/** Judges a whole history. Returns each violation as a sentence; none if the history is right. */
export function judge(events: readonly Event[]): string[] {
  const found: string[] = [];
  const wrong = events.filter((event) => event.op === 'wrong');
  found.push(...wrong.map(({ account, text }) => `${account}: ${text}`));
  const backup = events.find((event) => event.op === 'backup');
  const accounts = new Set(events.flatMap((event) => ('ended' in event ? event.account : [])));
  for (const account of accounts) {
    const own = events.filter(
      (event): event is Recorded | Read => 'ended' in event && event.account === account,
    );
    let era: Era | undefined;
    for (const final of own.filter((event) => event.op === 'final')) {
      era = new Era(final, own, era && { era, backedUp: backup?.began ?? 0 });
      found.push(...era.judge());
    }
  }
  return found;
}

/** What an account was from one restore to the next. */
class Era {
  readonly #account: string;
  readonly #era: number;
  readonly #feed: readonly Change[];
  readonly #own: readonly (Recorded | Read)[];
  readonly #before: { era: Era; backedUp: number } | undefined;
  /** The events of earlier eras too: a restored database has what they recorded. */
  readonly #recorded: Recorded[];
  readonly #states = new Map<string, States>();
  /** What was known to be visible, by when: both ascending. */
  readonly #known: { ended: number; sequence: number }[] = [];
  readonly #found: string[] = [];

  constructor(final: Final, all: readonly (Recorded | Read)[], before?: { era: Era; backedUp: number }) {
    this.#account = final.account;
    this.#era = final.era;
    this.#feed = final.changes;
    this.#own = all.filter(({ era }) => era === final.era);
    this.#recorded = all.filter(
      (event): event is Recorded => event.op === 'record' && event.era <= final.era,
    );
    this.#before = before;
  }

  judge(): string[] {
    this.#judgeRestore();
    this.#judgeFeed();
    this.#learnWhatWasKnown();
    this.#judgeRecordings();
    for (const event of this.#own) {
      if (event.op === 'walk') this.#judgeWalk(event);
      if (event.op === 'retrieve') this.#judgeRetrieved(event);
      if (event.op === 'feed') this.#judgePage(event);
      if (event.op === 'totals') this.#judgeTotals(event);
      if (event.op === 'export') this.#judgeExport(event);
      if (event.op === 'seal') this.#judgeSeal(event);
      if (event.op === 'copy') this.#judgeCopy(event);
      if (event.op === 'head')
        this.#must(
          event.sequence === this.#feed.length && event.id === this.#idOf(event.sequence),
          'the list of accounts has another head',
          event,
        );
    }
    return this.#found;
  }

  /** Notes a violation unless the condition holds. */
  #must(holds: boolean, text: string, what?: unknown): void {
    if (holds || this.#found.length > 20) return;
    const shown = what === undefined ? '' : `: ${JSON.stringify(what).slice(0, 1500)}`;
    this.#found.push(`${this.#account}, era ${this.#era}: ${text}${shown}`);
  }

  #idOf(sequence: number): string | null {
    return this.#feed[sequence - 1]?.id ?? null;
  }

  /** The last change that was known to be visible before a moment. */
  #knownBefore(moment: number): number {
    let [from, to] = [0, this.#known.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#known[middle]?.ended ?? 0) < moment) from = middle + 1;
      else to = middle;
    }
    return this.#known[from - 1]?.sequence ?? 0;
  }

  /** Everything acknowledged before the backup is there, and no number after the common history has an id of a lost change. */
  #judgeRestore(): void {
    if (this.#before === undefined) return;
    const { era, backedUp } = this.#before;
    const common = this.#commonWith(era);
    const known = era.#knownBefore(backedUp);
    this.#must(
      common >= known,
      `of ${known} changes before the backup, ${common} are there after its restore`,
    );
    this.#known.push({ ended: 0, sequence: known });
    const lost = new Set(era.#feed.slice(common).map(({ id }) => id));
    for (const change of this.#feed.slice(common))
      this.#must(!lost.has(change.id), 'a change has the id of one that a restore lost', change);
  }

  #commonWith(earlier: Era): number {
    const first = this.#feed.findIndex(
      (change, index) => JSON.stringify(change) !== JSON.stringify(earlier.#feed[index]),
    );
    return first === -1 ? this.#feed.length : first;
  }

  /** The feed has each number once, each transaction at most two changes, and nothing that nobody sent. */
  #judgeFeed(): void {
    const ids = new Set<string>();
    const ofKeys = new Map<string | null, string>();
    const restored = this.#before === undefined ? 0 : this.#commonWith(this.#before.era);
    const sent = Map.groupBy(this.#recorded, ({ given }) => textOf(given));
    for (const [index, change] of this.#feed.entries()) {
      const { sequence, id, type, previousStatus, transaction: row } = change;
      this.#must(sequence === index + 1, `change ${sequence} is the ${index + 1}th`, change);
      this.#must(!ids.has(id), 'two changes have one id', change);
      ids.add(id);
      this.#must(type === `transaction.${row.status}`, 'the type is not that of the status', change);
      const states = this.#states.get(row.reference) ?? [];
      const before = states.at(-1)?.row;
      this.#must((before?.status ?? null) === previousStatus, 'the previous status is another one', change);
      this.#must(
        before === undefined || (before.status === 'pending' && row.status !== 'pending'),
        'a final transaction has changed',
        change,
      );
      this.#must(
        before === undefined || isEqual({ ...row, status: before.status, paidAt: before.paidAt }, before),
        'a field has changed that never does',
        change,
      );
      if (isByKey(row.merchantReference)) {
        const owner = ofKeys.get(row.merchantReference) ?? row.reference;
        this.#must(owner === row.reference, 'one key has recorded two transactions', change);
        ofKeys.set(row.merchantReference, owner);
      }
      const senders = [
        ...(sent.get(textOf(row)) ?? []),
        ...(sent.get(textOf({ ...row, reference: null })) ?? []),
      ].filter(({ era }) => index < restored || era === this.#era);
      this.#must(senders.length > 0, 'nobody sent this for the account', change);
      states.push({ sequence, row, begun: Math.min(...senders.map(({ began }) => began)) });
      this.#states.set(row.reference, states);
    }
  }

  /** Acknowledgements and reads say which changes were visible by then. */
  #learnWhatWasKnown(): void {
    const seen = this.#own.flatMap((event) => {
      if (event.op === 'record') return { ended: event.ended, sequence: this.#sequenceOf(event) };
      if (event.op === 'feed') return { ended: event.ended, sequence: event.headSequence };
      if (event.op === 'totals' || event.op === 'export') return { ended: event.ended, sequence: event.asOf };
      return [];
    });
    this.#known.push(...seen.sort((a, b) => a.ended - b.ended));
    let most = 0;
    for (const one of this.#known) {
      most = Math.max(most, one.sequence);
      one.sequence = most;
    }
  }

  /** The change that made a recorded transaction as it was sent; 0 if there is none. */
  #sequenceOf({ given, outcome, shown, sequence }: Recorded): number {
    if (!['recorded', 'changed', 'unchanged'].includes(outcome)) return 0;
    if (sequence !== undefined) return sequence;
    const states = this.#states.get(given.reference ?? shown?.reference ?? '') ?? [];
    return states.find(({ row }) => isEqual(row, given))?.sequence ?? 0;
  }

  #judgeRecordings(): void {
    const makers = new Set<number>();
    for (const event of this.#own) {
      if (event.op !== 'record' || event.outcome === 'unknown') continue;
      const { given, outcome, shown, id, isReplayed, began, ended } = event;
      const reference = given.reference ?? shown?.reference ?? '';
      const possible = this.#possible(reference, began, ended);
      if (outcome === 'reused') {
        const others = this.#recorded.filter(
          ({ key, given: other }) => key === event.key && textOf(other) !== textOf(given),
        );
        this.#must(
          others.some((other) => other.began < ended),
          'a key is refused that nothing else was sent with',
          event,
        );
      } else if (outcome === 'conflict') {
        this.#must(
          possible.some((state) => state !== null && isContradiction(state, given)),
          'a transaction is refused that contradicts nothing',
          event,
        );
      } else {
        const sequence = this.#sequenceOf(event);
        const change = this.#feed[sequence - 1];
        this.#must(
          change !== undefined && isEqual(change.transaction, given),
          'an acknowledged recording is not in the feed as it was sent',
          event,
        );
        if (change === undefined) continue;
        this.#must(
          id === undefined || id === change.id,
          'an acknowledged recording has the id of another change',
          event,
        );
        // The recording that was replayed can have been completed since, so its response can be that of a later state.
        this.#must(
          shown === undefined || isEqual(shown, change.transaction),
          'the response is not the transaction of its change',
          event,
        );
        if (outcome === 'unchanged' || isReplayed === true) continue;
        this.#must(
          (outcome === 'recorded') === (change.previousStatus === null),
          `this is not "${outcome}"`,
          event,
        );
        this.#must(!makers.has(sequence), 'two recordings are said to have made one change', event);
        this.#must(
          sequence > this.#knownBefore(began),
          'a recording has a number that was given before it began',
          event,
        );
        makers.add(sequence);
      }
    }
  }

  /** The states in which a transaction can have been between two moments; null if it can have been absent. */
  #possible(reference: string, began: number, ended: number): (Row | null)[] {
    const states = this.#states.get(reference) ?? [];
    const known = this.#knownBefore(began);
    const last = states.findLastIndex(({ sequence }) => sequence <= known);
    const later = states
      .slice(Math.max(last, 0))
      .filter(({ begun, sequence }) => sequence <= known || begun < ended);
    return [...(last === -1 ? [null] : []), ...later.map(({ row }) => row)];
  }

  #isSeen(row: Row, began: number, ended: number): boolean {
    return this.#possible(row.reference, began, ended).some((state) => state !== null && isEqual(state, row));
  }

  /** Each row once, in order, as it was, and nothing is missing that was there from the beginning. */
  #judgeWalk({ kind, filter, pages, began, ended }: Walk): void {
    const seen = new Set<string>();
    let before: Row | undefined;
    for (const [index, page] of pages.entries()) {
      const isLast = index === pages.length - 1;
      const size = page.rows.length;
      if (kind === 'list')
        this.#must(
          isLast ? size <= 10 && (size > 0 || index === 0) : size === 10,
          `a page has ${size} rows`,
          filter,
        );
      else this.#must(size <= 100, `a page has ${size} rows`, filter);
      for (const row of page.rows) {
        this.#must(before === undefined || newestFirst(before, row) < 0, `a ${kind} is not in order`, [
          before,
          row,
        ]);
        this.#must(matches(row, filter), `a ${kind} has a row that its filter excludes`, [filter, row]);
        this.#must(
          this.#isSeen(row, page.began, page.ended),
          `a ${kind} has a row that the account did not have then`,
          row,
        );
        seen.add(row.reference);
        before = row;
      }
    }
    for (const reference of this.#states.keys()) {
      const isThere = this.#possible(reference, began, ended).every(
        (state) => state !== null && matches(state, filter),
      );
      this.#must(seen.has(reference) || !isThere, `a ${kind} has lost ${reference}`, {
        filter,
        pages: pages.length,
        began,
        ended,
      });
    }
  }

  #judgeRetrieved(event: Retrieved): void {
    const { reference, row, began, ended } = event;
    const isRight =
      row === null
        ? this.#possible(reference, began, ended).includes(null)
        : row.reference === reference && this.#isSeen(row, began, ended);
    this.#must(isRight, 'a transaction is not as it was', event);
  }

  #judgePage(event: Feed): void {
    const { after, afterId, refused, changes, lastSequence, lastId, headSequence, hasMore, began } = event;
    const isSame = afterId === null || this.#idOf(after) === afterId;
    this.#must(refused !== isSame, 'the history of a reader is not recognised', event);
    if (refused) return;
    this.#must(
      changes.every((change, index) => JSON.stringify(change) === JSON.stringify(this.#feed[after + index])),
      'a page of the feed has other changes than the feed',
      event,
    );
    this.#must(
      lastSequence === after + changes.length && lastId === this.#idOf(lastSequence),
      'a page of the feed ends elsewhere',
      event,
    );
    this.#must(
      headSequence <= this.#feed.length && headSequence >= this.#knownBefore(began),
      'the head is not as it was',
      event,
    );
    this.#must(
      hasMore === lastSequence < headSequence && (changes.length > 0 || headSequence <= after),
      'a page of the feed ends too early',
      event,
    );
  }

  /** Whether a response was as the account was after a change that was not too early or too late. */
  #judgeMoment(event: Totals | Export): void {
    const { asOf, asOfId, began } = event;
    this.#must(
      asOf <= this.#feed.length && asOfId === this.#idOf(asOf),
      `${event.op} of another history`,
      event,
    );
    this.#must(asOf >= this.#knownBefore(began), `${event.op} from before what was acknowledged`, event);
  }

  #judgeTotals(event: Totals): void {
    this.#judgeMoment(event);
    const expected = totalsOf(foldTo(this.#feed, event.asOf), event.filter, event.by);
    this.#must(
      JSON.stringify(event.rows) === JSON.stringify(expected),
      'the totals are not those of the changes',
      { event, expected },
    );
  }

  #judgeExport(event: Export): void {
    this.#judgeMoment(event);
    const { format, filter, asOf, text, manifest } = event;
    const rows = foldTo(this.#feed, asOf)
      .filter((row) => matches(row, filter))
      .sort(newestFirst);
    const lines = text.split(format === 'csv' ? '\r\n' : '\n').slice(0, -1);
    const names = Object.keys(EMPTY) as (keyof Row)[];
    const given =
      format === 'csv'
        ? lines.slice(1).map(cells)
        : lines.map((line) => names.map((name) => (JSON.parse(line) as Row)[name] ?? ''));
    const zone = format === 'csv' ? filter['timeZone'] : undefined;
    const expected = rows.map((row) => [
      ...names.map((name) => row[name] ?? ''),
      ...(zone === undefined
        ? []
        : [row.paidAt === null ? '' : localOf(row.paidAt, zone), localOf(row.createdAt, zone)]),
    ]);
    const header = [...names, ...(zone === undefined ? [] : ['paidAtLocal', 'createdAtLocal'])];
    this.#must(
      format === 'ndjson' || lines[0] === header.join(','),
      'an export has another first line',
      lines[0],
    );
    const differs = expected.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(given[index]));
    this.#must(
      differs === -1 && given.length === expected.length,
      `an export up to ${asOf} has ${given.length} rows instead of ${expected.length}, row ${differs} differs`,
      { filter, given: given[differs], expected: expected[differs] },
    );
    const bytes = Buffer.from(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const isManifest =
      manifest.state === 'complete' &&
      manifest.rows === rows.length &&
      manifest.bytes === bytes.length &&
      manifest.sha256 === sha256 &&
      manifest.asOf === asOf;
    this.#must(isManifest, 'a manifest is not that of its export', {
      manifest,
      sha256,
      bytes: bytes.length,
      rows: rows.length,
    });
    this.#must(
      JSON.stringify(manifest.totals) === JSON.stringify(totalsOf(rows, {}, null)),
      'a manifest has other totals',
      manifest,
    );
  }

  /** Seals are computed from the feed, as the interface says. */
  #judgeSeal(event: Sealed): void {
    let seal = Buffer.alloc(32);
    for (const { sequence, id, previousStatus, recordedAt, transaction: row } of this.#feed.slice(
      0,
      event.sequence,
    )) {
      const { reference, merchantReference, amount, currencyCode, paidAt, createdAt } = row;
      const text = JSON.stringify([
        sequence,
        id,
        row.status,
        previousStatus,
        recordedAt,
        reference,
        merchantReference,
        amount,
        currencyCode,
        paidAt,
        createdAt,
        null,
      ]);
      seal = createHash('sha256').update(seal).update(text).digest();
    }
    this.#must(
      event.id === this.#idOf(event.sequence) && event.seal === seal.toString('hex'),
      'a seal is not that of the feed',
      event,
    );
  }

  #judgeCopy({ changes }: Copy): void {
    const first = changes.findIndex(
      (change, index) => JSON.stringify(change) !== JSON.stringify(this.#feed[index]),
    );
    this.#must(
      first === -1 && changes.length === this.#feed.length,
      `the copy of a follower has ${changes.length} changes, the feed ${this.#feed.length}; they differ at ${first + 1}`,
    );
  }
}

const EMPTY: Row = {
  reference: '',
  merchantReference: null,
  status: '',
  amount: '',
  currencyCode: '',
  paidAt: null,
  createdAt: '',
};

const textOf = (row: Recorded['given']): string =>
  JSON.stringify(Object.keys(EMPTY).map((name) => row[name as keyof Row]));

/** Whether a transaction cannot be recorded over a state: the same changes nothing, and a pending one can become final. */
function isContradiction(state: Row, given: Recorded['given']): boolean {
  if (isEqual(state, given)) return false;
  const isAdvance = state.status === 'pending' && given.status !== 'pending';
  return !isAdvance || !isEqual({ ...state, status: given.status, paidAt: given.paidAt }, given);
}
