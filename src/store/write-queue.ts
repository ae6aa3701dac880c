import type { NamedWrite } from './writer.ts';

/**
 * How many writes share a commit; of a stream, only those of background work that need not wait for the disk, one behind the other. A
 * commit that waits for the disk takes longer than all of them.
 */
const MAX_SHARED = 16;

/**
 * Decides which writes the next commit has: those that go first, or else one of a stream together with some of accounts, which
 * take turns. So no account can make recordings, or another account, wait for more than a commit.
 */
export class WriteQueue<Write extends NamedWrite> {
  #first: Write[] = [];
  #stream: Write[] = [];
  /** In the order of their turns. */
  #accounts = new Map<string, Write[]>();

  add(write: Write): void {
    this.#queueOf(write).push(write);
  }

  /** Takes the writes of the next commit out of the queue; none if it is empty. */
  take(): Write[] {
    const first = this.#first.splice(0, MAX_SHARED);
    if (first.length > 0) return first;
    const others = this.#stream.findIndex(({ isUnsynced }) => !isUnsynced);
    const sharing = Math.min(MAX_SHARED, others === -1 ? this.#stream.length : others);
    const taken = this.#stream.splice(0, Math.max(1, sharing));
    const most = taken.length + MAX_SHARED;
    while (taken.length < most) {
      const [next] = this.#accounts;
      if (next === undefined) break;
      const [account, writes] = next;
      taken.push(writes.shift() as Write);
      this.#accounts.delete(account);
      if (writes.length > 0) this.#accounts.set(account, writes);
    }
    return taken;
  }

  /** Puts writes back that could not be committed: they are the next of their kind and account. */
  putBack(taken: readonly Write[]): void {
    for (const write of taken.toReversed()) this.#queueOf(write).unshift(write);
  }

  /** Takes the writes out of the queue for which `isOver`. */
  remove(isOver: (write: Write) => boolean): Write[] {
    const removed: Write[] = [];
    const keep = (writes: readonly Write[]) => {
      removed.push(...writes.filter(isOver));
      return writes.filter((write) => !isOver(write));
    };
    this.#first = keep(this.#first);
    this.#stream = keep(this.#stream);
    this.#accounts = new Map(
      [...this.#accounts]
        .map(([account, writes]) => [account, keep(writes)] as const)
        .filter(([, { length }]) => length > 0),
    );
    return removed;
  }

  #queueOf(write: Write): Write[] {
    const { turn, account = '' } = write;
    if (turn === 'first') return this.#first;
    if (turn === 'stream') return this.#stream;
    const writes = this.#accounts.get(account) ?? [];
    this.#accounts.set(account, writes);
    return writes;
  }
}
