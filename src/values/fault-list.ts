import type { FieldFault } from './field-fault.ts';
import { knownNames } from './nearest.ts';

/** An error lists at most this many faults and counts the others: describing all of them could cost more than any valid request. */
export const MAX_LISTED_FAULTS = 20;

/** The nearest known name is searched for at most this many unknown names; the others are reported without it. */
export const MAX_SUGGESTIONS = 5;

/** The faults of a request, a body or a line. The first ones are listed, all are counted. */
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

  /** Whether the list is full: further faults are only counted and need no description. */
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

  /** The number of faults of `subject`, as a sentence. */
  summary(subject: string): string {
    const all = `${subject} has ${numberText(this.count)} faults`;
    if (this.#unlisted === 0) return `${all}: see errors.`;
    return `${all}: ${this.listed.length} in errors, ${this.unlistedNote}.`;
  }

  /** The text after the listed faults if there are more. */
  get unlistedNote(): string {
    return `and ${numberText(this.#unlisted)} more`;
  }
}

/** Adds a fault for each unknown field of a record. Once the list is full, the remaining fields are counted without reading each. */
export function addUnknownFields<Fault>(
  record: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  faults: FaultList<Fault>,
  describe: (field: string, isNearestSearched: boolean) => Fault,
): void {
  // Read once: in a large record, reading the names costs more than describing the listed faults.
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

/** Describes a field that `what` does not have, for addUnknownFields. */
export const unknownField =
  (what: string, known: Iterable<string>) =>
  (field: string, isNearestSearched: boolean): FieldFault => ({
    field,
    code: 'unknown_field',
    detail: `is not a field of ${what}${knownNames(field, known, 'fields', isNearestSearched)}`,
  });

const numberText = (count: number) => count.toLocaleString('en');
