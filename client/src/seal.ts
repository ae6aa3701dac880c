import type { Change } from './change.ts';
import { ArgumentError, type SealedPosition, SealMismatchError } from './errors.ts';
import { requestBody } from './request-body.ts';
import { isCount, isObject, isText, isTextOrNull } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import { bytesOfHex, Sha256 } from './sha256.ts';

/** A hash over all changes of the account up to its last sealed change. */
export interface Seal {
  /** The number of the last sealed change; 0 if no change is sealed. */
  sequence: number;
  /** The id of the last sealed change; null if no change is sealed. */
  id: string | null;
  /** 64 hexadecimal digits. */
  seal: string;
}

const SEAL = /^[0-9a-f]{64}$/;
const NO_SEAL = '0'.repeat(64);

/**
 * The service seals a change some seconds after its recording. Meanwhile, the feed reads on, and keeps its
 * own seals to compare them later.
 */
const MAX_KEPT = 10_000;
/** Seals are requested at most this often, except at the end of a feed. */
const INTERVAL_MS = 5000;

export const fetchSeal = (send: Send, root: string, options: RequestOptions, isFeed = false): Promise<Seal> =>
  requestBody(
    (call, given, waitMs) => send(call, given, waitMs, isFeed),
    `${root}/seal`,
    { what: 'a seal', is: isSeal },
    options,
  );

const isSeal = (value: unknown): value is Seal =>
  isObject(value) &&
  isCount(value['sequence']) &&
  isTextOrNull(value['id']) &&
  isText(value['seal']) &&
  SEAL.test(value['seal']);

const encoder = new TextEncoder();

function sealAfter(seal: string, { sequence, id, previousStatus, recordedAt, transaction }: Change): string {
  const { status, reference, merchantReference, amount, currencyCode, paidAt, createdAt } = transaction;
  const { relatedTo = null } = transaction;
  const first = [sequence, id, status, previousStatus, recordedAt, reference, merchantReference];
  const text = JSON.stringify([...first, amount, currencyCode, paidAt, createdAt, relatedTo]);
  const hash = new Sha256();
  hash.update(bytesOfHex(seal));
  hash.update(encoder.encode(text));
  return hash.hex();
}

interface SealedChange {
  id: string | null;
  seal: string;
}

export class FeedSeals {
  readonly #fetchSeal: () => Promise<Seal>;
  readonly #now: () => number;
  readonly #kept = new Map<number, SealedChange>();
  #last: number;
  #agreed: SealedPosition;
  #hasAltered = false;
  #comparedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    { after, afterId = null, seal }: { after: number; afterId?: string | null; seal?: string | undefined },
    fetchFrom: () => Promise<Seal>,
    now: () => number,
  ) {
    if (after > 0 && seal === undefined)
      throw new ArgumentError(
        'To verify from a change on, pass its seal: { after, afterId, seal }. Without it, begin at 0.',
      );
    if (seal !== undefined && !SEAL.test(seal))
      throw new ArgumentError('seal is not a seal: pass 64 lower-case hexadecimal digits.');
    this.#kept.set(after, { id: afterId, seal: seal ?? NO_SEAL });
    this.#last = after;
    this.#agreed = this.#positionAt(after);
    this.#fetchSeal = fetchFrom;
    this.#now = now;
  }

  at(sequence: number): string | undefined {
    return this.#kept.get(sequence)?.seal;
  }

  get beforeAltered(): SealedPosition | undefined {
    return this.#hasAltered ? this.#agreed : undefined;
  }

  #positionAt(after: number): SealedPosition {
    const { id, seal } = this.#kept.get(after) as SealedChange;
    return { after, ...(id !== null && { afterId: id }), seal };
  }

  async add(changes: readonly Change[], isAtEnd: boolean): Promise<void> {
    const [first] = changes;
    // Never continue from `#last`: if `#fetchSeal` below fails, the same changes are added again.
    let seal = first === undefined ? NO_SEAL : (this.at(first.sequence - 1) ?? NO_SEAL);
    for (const change of changes) {
      seal = sealAfter(seal, change);
      this.#last = change.sequence;
      this.#kept.set(this.#last, { id: change.id, seal });
      this.#kept.delete(this.#last - MAX_KEPT);
    }
    if (!isAtEnd && this.#now() - this.#comparedAtMs < INTERVAL_MS) return;
    this.#compare(await this.#fetchSeal());
    this.#comparedAtMs = this.#now();
  }

  rewindTo(sequence: number): boolean {
    const isKnown = this.#kept.has(sequence);
    if (!isKnown) return false;
    for (let lost = this.#last; lost > sequence; lost--) this.#kept.delete(lost);
    this.#last = sequence;
    if (this.#agreed.after > sequence) this.#agreed = this.#positionAt(sequence);
    return true;
  }

  #compare({ sequence, id, seal }: Seal): void {
    const own = this.#kept.get(sequence);
    // After a restore, the ids differ. The next request for a page reports the restore.
    if (own === undefined || (own.id !== null && own.id !== id)) return;
    this.#hasAltered = own.seal !== seal;
    if (this.#hasAltered) throw new SealMismatchError(sequence, own.seal, seal, this.#agreed);
    this.#agreed = this.#positionAt(sequence);
  }
}
