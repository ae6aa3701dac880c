import { bareOf, detailsOf } from './arithmetic.ts';
import type { Archived, Change, Event, EventOf, OfAccount, Recorded, Row } from './history.ts';

/** One transaction. When it is archived, its reference is free for another transaction (another Instance). */
export interface Instance {
  first: number;
  removal?: { begun: number; settled: number };
  archived?: Archived;
}

export interface Version {
  row: Row | null;
  sequence: number;
  instance: Instance | undefined;
  /** A tick of the history. A request that ended before this tick cannot show this version. */
  begun: number;
  /** A tick of the history. A request that begins after this tick must show this version or a newer one. */
  settled: number;
  /** When the transaction was first sent, by a clock that never jumps. */
  begunMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** The history of an account from one restore or erasure to the next. */
export class Life {
  readonly account: string;
  readonly number: number;
  /** The life in which the restored backup was made. That backup began at the tick `backedUp`. */
  readonly parent: { life: Life; backedUp: number } | undefined;
  readonly own: readonly OfAccount[];
  readonly feed: Change[] = [];
  missing: number | undefined;
  readonly instances: Instance[] = [];
  readonly versions = new Map<string, Version[]>();
  readonly archives: Archived[];
  readonly recorded: Recorded[];
  readonly restored: number;
  /** Each request that begins after `ended` must see the changes up to `sequence`. Sorted by both fields. */
  readonly #known: { ended: number; sequence: number }[] = [];
  readonly #senders: Map<string, Recorded[]>;
  /** The details of each change by its sequence number, as they were before they were removed. */
  readonly #details = new Map<number, Readonly<Record<string, string>>>();

  constructor(own: readonly OfAccount[], parent?: { life: Life; backedUp: number }) {
    this.own = own;
    this.account = own[0]?.account ?? '';
    this.number = own[0]?.life ?? 0;
    this.parent = parent;
    const inherited = parent?.life.archives.filter(({ ended }) => ended < parent.backedUp) ?? [];
    this.archives = [...inherited.map((one) => ({ ...one, began: 0, ended: 0 })), ...this.of('archive')];
    const floor = Math.max(0, ...inherited.map((one) => parent?.life.floorOf(one) ?? 0));
    this.feed.push(...(parent?.life.feed.slice(0, floor) ?? []));
    this.recorded = [...(parent?.life.recorded ?? []), ...this.of('record')];
    this.#senders = Map.groupBy(this.recorded, ({ given }) => bareOf(given));
    this.#collectChanges();
    this.restored = this.#commonWithParent();
    this.#learnKnown();
    this.#learnVersions();
  }

  of<Op extends OfAccount['op']>(op: Op): EventOf<Op>[] {
    return this.own.filter((event): event is EventOf<Op> => event.op === op);
  }

  idOf(sequence: number): string | null {
    return this.feed[sequence - 1]?.id ?? null;
  }

  /** All `final` events are read, because a later one lacks the changes that were archived meanwhile. */
  #collectChanges(): void {
    for (const { changes } of this.of('final'))
      for (const change of changes) this.feed[change.sequence - 1] = change;
    const missing = Array.from(this.feed).findIndex((change, index) => change?.sequence !== index + 1);
    if (missing !== -1) {
      this.missing = missing + 1;
      this.feed.length = missing;
    }
    for (const { changes } of [...this.of('feed'), ...this.of('final')])
      for (const { sequence, transaction } of changes)
        if (transaction.details !== undefined) this.#details.set(sequence, transaction.details);
  }

  #commonWithParent(): number {
    if (this.parent === undefined) return 0;
    const theirs = this.parent.life.feed;
    const first = this.feed.findIndex((change, index) => change.id !== theirs[index]?.id);
    return first === -1 ? this.feed.length : first;
  }

  #learnKnown(): void {
    const before = this.parent?.life.knownBefore(this.parent.backedUp) ?? 0;
    this.#known.push({ ended: 0, sequence: before });
    const seen = this.own.flatMap((event) => {
      const { ended } = event;
      if (event.op === 'record') return { ended, sequence: this.sequenceOf(event) };
      if (event.op === 'feed' && event.status !== 410) return { ended, sequence: event.headSequence };
      if (event.op === 'final') return { ended, sequence: event.changes.at(-1)?.sequence ?? 0 };
      if (event.op === 'totals' || event.op === 'export') return { ended, sequence: event.asOf };
      return [];
    });
    let most = before;
    for (const one of seen.sort((a, b) => a.ended - b.ended)) {
      most = Math.max(most, one.sequence);
      this.#known.push({ ended: one.ended, sequence: most });
    }
  }

  knownBefore(moment: number): number {
    return this.#known[this.#firstKnown('ended', moment) - 1]?.sequence ?? 0;
  }

  #settledAt(sequence: number): number {
    return this.#known[this.#firstKnown('sequence', sequence)]?.ended ?? NEVER;
  }

  #firstKnown(field: 'ended' | 'sequence', value: number): number {
    let [from, to] = [0, this.#known.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#known[middle]?.[field] ?? 0) < value) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The number of the change that recorded the sent values, or 0 if there is no such change. */
  sequenceOf({ given, outcome, shown, sequence }: Recorded): number {
    if (!['recorded', 'changed', 'unchanged', 'imported'].includes(outcome)) return 0;
    if (sequence !== undefined) return sequence;
    const reference = given.reference ?? shown?.reference ?? '';
    const sent = bareOf(given, reference);
    const found = this.feed.findIndex(({ transaction }) => bareOf(transaction) === sent);
    return found + 1;
  }

  sendersOf(row: Row, sequence: number): Recorded[] {
    const isRestored = sequence <= this.restored;
    return [
      ...(this.#senders.get(bareOf(row)) ?? []),
      ...(this.#senders.get(bareOf(row, null)) ?? []),
    ].filter(({ life }) => isRestored || life === this.number);
  }

  #learnVersions(): void {
    for (const [index, { previousStatus, transaction: row }] of this.feed.entries()) {
      const sequence = index + 1;
      const versions = this.versions.get(row.reference) ?? [];
      const before = versions.at(-1);
      const instance = previousStatus === null ? { first: sequence } : before?.instance;
      const senders = this.sendersOf(row, sequence);
      const details = this.#detailsSent(row, sequence, senders);
      const version = {
        row: { ...row, ...details },
        sequence,
        instance,
        begun: sequence <= this.restored ? 0 : Math.min(...senders.map(({ began }) => began)),
        begunMs: Math.min(...senders.map(({ beganMs }) => beganMs)),
        settled: this.#settledAt(sequence),
      };
      if (instance !== undefined) this.instances[index] = instance;
      versions.push(version);
      this.versions.set(row.reference, versions);
    }
    for (const archive of this.archives) this.#remove(archive);
    this.#learnRemovals();
  }

  #detailsSent(row: Row, sequence: number, senders: readonly Recorded[]): Pick<Row, 'details'> {
    // A request that repeats the row after the details were removed can have other details.
    const recorders = senders.filter(({ outcome }) => outcome === 'recorded' || outcome === 'changed');
    const accepted = senders.filter(({ outcome }) => outcome !== 'conflict');
    const [first] = (recorders.length > 0 ? recorders : accepted).toSorted((a, b) => a.began - b.began);
    const sent = first?.given.details;
    const details = row.details ?? this.#details.get(sequence) ?? (row.detailsRemovedAt && sent);
    return details === undefined || details === '' ? {} : { details };
  }

  /** Adds a version with `row: null` for each archived transaction, because the list no longer has it. */
  #remove(archive: Archived): void {
    for (const row of archive.rows) {
      const versions = this.versions.get(row.reference) ?? [];
      const at = versions.findLastIndex(
        (one) => one.row !== null && bareOf(one.row) === bareOf(row) && one.instance?.archived === undefined,
      );
      const last = versions[at];
      if (last?.instance === undefined) continue;
      last.instance.archived = archive;
      versions.splice(at + 1, 0, { ...last, row: null, begun: archive.began, settled: archive.ended });
    }
  }

  #learnRemovals(): void {
    const { parent } = this;
    for (const [index, instance] of this.instances.slice(0, this.restored).entries()) {
      const removal = parent?.life.instances[index]?.removal;
      if (parent === undefined || removal === undefined || removal.begun > parent.backedUp) continue;
      instance.removal = { begun: 0, settled: removal.settled < parent.backedUp ? 0 : NEVER };
    }
    for (const removed of this.of('remove')) {
      if (!removed.isThere) continue;
      for (const { instance, row } of this.possible(removed.reference, removed)) {
        if (instance === undefined || row?.details === undefined) continue;
        const { begun, settled } = instance.removal ?? { begun: NEVER, settled: NEVER };
        instance.removal = {
          begun: Math.min(begun, removed.began),
          settled: Math.min(settled, removed.ended),
        };
      }
    }
  }

  floorOf(archive: Archived): number {
    return this.instances.findLastIndex((instance) => instance?.archived === archive) + 1;
  }

  possible(reference: string, { began, ended }: { began: number; ended: number }): Version[] {
    const versions = this.versions.get(reference) ?? [];
    const last = versions.findLastIndex(({ settled }) => settled < began);
    const later = versions.filter(({ begun }, index) => index === last || (index > last && begun < ended));
    const absent = { row: null, sequence: 0, instance: undefined, begun: 0, settled: 0, begunMs: 0 };
    return last === -1 ? [absent, ...later] : later;
  }

  isAs(
    row: Row,
    version: Pick<Version, 'row' | 'instance'>,
    { began, ended }: { began: number; ended: number },
  ): boolean {
    if (version.row === null || bareOf(row) !== bareOf(version.row)) return false;
    const removal = version.instance?.removal;
    const isRemoved = row.detailsRemovedAt !== undefined;
    if (isRemoved) return row.details === undefined && removal !== undefined && removal.begun < ended;
    return detailsOf(row) === detailsOf(version.row) && !(removal !== undefined && removal.settled < began);
  }

  positionAt(ms: number): number {
    return Math.max(0, ...this.own.filter(({ endedMs }) => endedMs <= ms).map(({ ended }) => ended));
  }

  isSeen(row: Row, during: { began: number; ended: number }): boolean {
    return this.possible(row.reference, during).some((version) => this.isAs(row, version, during));
  }

  isChange(change: Change | undefined, sequence: number, during: { began: number; ended: number }): boolean {
    const known = this.feed[sequence - 1];
    if (change === undefined || known === undefined) return false;
    const { transaction, ...rest } = change;
    const { transaction: row, ...expected } = known;
    const version = this.versionOf(row.reference, sequence);
    const isSame = JSON.stringify(rest) === JSON.stringify(expected);
    return isSame && version !== undefined && this.isAs(transaction, version, during);
  }

  floors(during: { began: number; ended: number }): number[] {
    return this.possibleArchives(during).map((done) => Math.max(0, ...done.map((one) => this.floorOf(one))));
  }

  rowsAt(upTo: number, without: readonly Archived[]): Row[] {
    const rows = new Map<Instance, Row>();
    for (const [index, { transaction }] of this.feed.slice(0, upTo).entries()) {
      const instance = this.instances[index] as Instance;
      const { archived } = instance;
      if (archived !== undefined && without.includes(archived)) rows.delete(instance);
      else rows.set(instance, this.versionOf(transaction.reference, index + 1)?.row ?? transaction);
    }
    return [...rows.values()];
  }

  versionOf(reference: string, sequence: number): Version | undefined {
    return this.versions.get(reference)?.find((one) => one.row !== null && one.sequence === sequence);
  }

  possibleArchives({ began, ended }: { began: number; ended: number }): Archived[][] {
    const done = this.archives.filter((one) => one.ended < began);
    const perhaps = this.archives.filter((one) => one.ended >= began && one.began < ended);
    return [done, ...perhaps.map((one) => [...done, one])];
  }
}

export function livesOf(account: string, events: readonly Event[]): Life[] {
  const own = events.filter((event): event is OfAccount => 'ended' in event && event.account === account);
  const backups = events.filter((event) => event.op === 'backup' || event.op === 'restore');
  const lives = new Map<number, Life>();
  for (const [number, its] of Map.groupBy(own, ({ life }) => life))
    if (its.some(({ op }) => op === 'final')) lives.set(number, new Life(its, parentOf(number)));
  return [...lives.values()];

  function parentOf(number: number): { life: Life; backedUp: number } | undefined {
    const at = backups.findIndex((event) => event.op === 'restore' && event.lives[account] === number);
    const backup = backups.slice(0, Math.max(at, 0)).findLast((event) => event.op === 'backup');
    const life = backup?.op === 'backup' ? lives.get(backup.lives[account] ?? -1) : undefined;
    return life === undefined || backup?.op !== 'backup' ? undefined : { life, backedUp: backup.began };
  }
}
