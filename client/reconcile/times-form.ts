import type { ComparableField } from './compared-fields.ts';
import { DAY_CHARACTERS } from './file-values.ts';

/**
 * Flags: 1 if a line's createdAt is only a day, 2 if its paidAt is only a day, and 4 if paidAt is empty. An
 * empty paidAt equals only an empty paidAt.
 */
const FORM = { createdDay: 1, paidDay: 2, unpaid: 4 } as const;

/** The form of a line's times. Undefined arguments are columns that the file does not have. */
export function timesFormOf(createdAt: string | null | undefined, paidAt: string | null | undefined): number {
  const createdDay = createdAt?.length === DAY_CHARACTERS ? FORM.createdDay : 0;
  if (paidAt == null) return createdDay + FORM.unpaid;
  return createdDay + (paidAt.length === DAY_CHARACTERS ? FORM.paidDay : 0);
}

/**
 * The form that a file with lines of this form must not contain. One of the two has the day of createdAt and
 * the exact paidAt, the other has the reverse. A transaction could equal a line of each, and the order of
 * comparison would decide.
 */
export const opposedForm = (form: number): number | undefined =>
  form === FORM.createdDay ? FORM.paidDay : form === FORM.paidDay ? FORM.createdDay : undefined;

/** A pass compares the lines of some forms. Of the times in `days`, it compares only the day. */
export interface Pass {
  forms: readonly number[];
  days: ReadonlySet<ComparableField>;
}

/**
 * The passes for lines of some forms. Lines with more exact times come first, because they equal fewer
 * transactions, and lines with days must not take those. There is at least one pass.
 */
export function passesOf(forms: readonly number[]): Pass[] {
  if (forms.length === 0) return [{ forms, days: new Set() }];
  const passes = new Map(forms.filter((form) => form < FORM.unpaid).map((form) => [form, [form]]));
  for (const form of forms.filter((one) => one >= FORM.unpaid)) {
    const createdDay = form - FORM.unpaid;
    const same = passes.get(createdDay) ?? passes.get(createdDay + FORM.paidDay);
    if (same === undefined) passes.set(createdDay, [form]);
    else same.push(form);
  }
  return [...passes]
    .map(([form, those]) => ({ forms: those, days: daysOf(form) }))
    .sort((left, right) => left.days.size - right.days.size);
}

function daysOf(form: number): ReadonlySet<ComparableField> {
  const days = new Set<ComparableField>();
  if ((form & FORM.createdDay) !== 0) days.add('createdAt');
  if ((form & FORM.paidDay) !== 0) days.add('paidAt');
  return days;
}
