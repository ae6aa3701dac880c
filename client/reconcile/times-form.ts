import type { ComparableField } from './compared-fields.ts';
import { DAY_CHARACTERS } from './file-values.ts';

/** The flags mean: createdAt is only a day, paidAt is only a day, paidAt is empty. */
const FORM = { createdDay: 1, paidDay: 2, unpaid: 4 } as const;

export function timesFormOf(createdAt: string | null | undefined, paidAt: string | null | undefined): number {
  const createdDay = createdAt?.length === DAY_CHARACTERS ? FORM.createdDay : 0;
  if (paidAt == null) return createdDay + FORM.unpaid;
  return createdDay + (paidAt.length === DAY_CHARACTERS ? FORM.paidDay : 0);
}

/**
 * A line with a day of creation and a time of payment, and a line with a time of creation and a day of
 * payment, could both match the same transaction. So a file must not have both forms.
 */
export const opposedForm = (form: number): number | undefined =>
  form === FORM.createdDay ? FORM.paidDay : form === FORM.paidDay ? FORM.createdDay : undefined;

/** One comparison of the file with the transactions. It takes only the lines that have one of `forms`. */
export interface Pass {
  forms: readonly number[];
  /** Of these fields, only the day is compared. */
  days: ReadonlySet<ComparableField>;
}

export function passesOf(forms: readonly number[]): Pass[] {
  if (forms.length === 0) return [{ forms, days: new Set() }];
  const passes = new Map(forms.filter((form) => form < FORM.unpaid).map((form) => [form, [form]]));
  for (const form of forms.filter((one) => one >= FORM.unpaid)) {
    const createdDay = form - FORM.unpaid;
    const same = passes.get(createdDay) ?? passes.get(createdDay + FORM.paidDay);
    if (same === undefined) passes.set(createdDay, [form]);
    else same.push(form);
  }
  // Lines with exact times come first. Otherwise, a line with only a day could take their transactions.
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
