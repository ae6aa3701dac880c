/** An error lists at most so many faults, and counts the others: finding and writing all of them could cost more than any good request. */
export const MAX_LISTED_FAULTS = 20;

/** The nearest known name is searched for so many unknown ones; further ones are reported without it. */
export const MAX_SUGGESTIONS = 5;

/** The faults of a request, a body or a line: the first ones listed, all of them counted. */
export class FaultList<Fault> {
  readonly listed: Fault[] = [];
  #unlisted = 0;

  /** How many faults are not listed. */
  get unlisted(): number {
    return this.#unlisted;
  }

  get count(): number {
    return this.listed.length + this.#unlisted;
  }

  /** Whether a further fault would only be counted, so that its description is not needed. */
  get isFull(): boolean {
    return this.listed.length === MAX_LISTED_FAULTS;
  }

  add(fault: Fault): void {
    if (this.isFull) this.#unlisted++;
    else this.listed.push(fault);
  }

  countUnlisted(faults: number): void {
    this.#unlisted += faults;
  }

  /** How many faults `subject` has, as a sentence. */
  summary(subject: string): string {
    const all = `${subject} has ${numberText(this.count)} faults`;
    if (this.#unlisted === 0) return `${all}: see errors.`;
    return `${all}: ${this.listed.length} in errors, ${this.unlistedNote}.`;
  }

  /** What to write behind the listed faults, where there are more. */
  get unlistedNote(): string {
    return `and ${numberText(this.#unlisted)} more`;
  }
}

/** Adds a fault for each field of a record that is not a known one. Beyond those that are listed, no field is looked at. */
export function addUnknownFields<Fault>(
  record: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  faults: FaultList<Fault>,
  describe: (field: string, isNearestSearched: boolean) => Fault,
): void {
  // Read once: of a large record, its names cost more than all the faults that are listed.
  const fields = Object.keys(record);
  for (const field of fields) {
    if (known.has(field)) continue;
    if (faults.isFull) {
      const knownFields = [...known].filter((name) => Object.hasOwn(record, name));
      faults.countUnlisted(fields.length - knownFields.length - faults.count);
      return;
    }
    faults.add(describe(field, faults.count < MAX_SUGGESTIONS));
  }
}

const numberText = (count: number) => count.toLocaleString('en');
