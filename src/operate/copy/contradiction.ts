/** What the target has, and can't have been copied from the source as it is. */
export interface Contradiction {
  account: string;
  /** For example `head sequence` or `change 7`. */
  place: string;
  /** What each side has. Never a secret. */
  source: string;
  target: string;
}

/** How many contradictions are kept. The others are only counted. */
const MAX_KEPT = 20;

/** The contradictions that were found, at most MAX_KEPT of them. */
export class Contradictions {
  readonly kept: Contradiction[] = [];
  count = 0;

  add(...found: readonly Contradiction[]): void {
    this.count += found.length;
    this.kept.push(...found.slice(0, MAX_KEPT - this.kept.length));
  }

  get isFull(): boolean {
    return this.kept.length === MAX_KEPT;
  }

  /** Throws: TargetContradicts if there are any. */
  refuse(): void {
    if (this.count > 0) throw new TargetContradicts(this);
  }
}

/** The target contradicts the source. The copy overwrote nothing that does. */
export class TargetContradicts extends Error {
  override readonly name = 'TargetContradicts';
  readonly contradictions: Contradictions;

  constructor(contradictions: Contradictions) {
    super(`the target contradicts the source in ${contradictions.count} places`);
    this.contradictions = contradictions;
  }
}
