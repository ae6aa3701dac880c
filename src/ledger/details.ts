import { hasCardNumber } from '../../values/card-number.ts';
import { type Details, detailOf, isDetailName } from '../../values/detail-name.ts';
import { type FaultList, type FieldFault, wrongType } from '../../values/fault-list.ts';
import { DETAIL_MAX_CHARACTERS, MAX_DETAILS, MAX_DETAILS_BYTES } from '../../values/interface/limits.ts';
import { quote } from '../../values/quote.ts';
import { explainText, type StoredDetails, shownDetails } from './transaction.ts';

/** Returns JSON with sorted names, so that equal details are equal texts. Returns undefined after a fault. */
export function readDetails(value: unknown, faults: FaultList<FieldFault>): string | null | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.add(wrongType('details', value, 'an object of texts, such as {"customer":"Ada"}'));
    return undefined;
  }
  const before = faults.count;
  const entries = Object.entries(value).filter(([, text]) => text !== null);
  const fault = (detail: string) => faults.add({ field: 'details', code: 'invalid_value', detail });
  if (entries.length > MAX_DETAILS) fault(`has ${entries.length} names; at most ${MAX_DETAILS} are allowed`);
  else for (const [name, text] of entries) checkDetail(name, text, faults);
  if (faults.count > before) return undefined;
  const text = textOfDetails(Object.fromEntries(entries));
  const bytes = text === null ? 0 : Buffer.byteLength(text);
  if (bytes <= MAX_DETAILS_BYTES) return text;
  fault(`has ${bytes} bytes as JSON; at most ${MAX_DETAILS_BYTES} are allowed`);
  return undefined;
}

function checkDetail(name: string, text: unknown, faults: FaultList<FieldFault>): void {
  if (!isDetailName(name)) {
    const detail = `has the name ${quote(name)}; a name begins with a-z, and has at most 32 characters of a-z, A-Z and 0-9`;
    faults.add({ field: 'details', code: 'invalid_value', detail });
    return;
  }
  const field = { field: 'details', name };
  if (typeof text !== 'string') {
    faults.add({ ...wrongType('details', text, 'it as a string'), name });
    return;
  }
  const detail = explainText(text, DETAIL_MAX_CHARACTERS, 'leave out a name without a value');
  if (detail !== undefined) faults.add({ ...field, code: 'invalid_value', detail });
  else if (hasCardNumber(text))
    faults.add({
      ...field,
      code: 'card_number',
      // This text is returned and logged, so it must not repeat the card number.
      detail: 'contains a card number, which may not be stored; leave it out, or write its last four digits',
    });
}

const textOfDetails = (details: Details): string | null => {
  const names = Object.keys(details).sort();
  return names.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(names.map((name) => [name, details[name]])));
};

export const detailsOfText = (text: string): Details => JSON.parse(text);

export function isDetailsText(text: string): boolean {
  try {
    const details: unknown = JSON.parse(text);
    const isObject = typeof details === 'object' && details !== null && !Array.isArray(details);
    const texts = isObject ? Object.entries(details) : [];
    return (
      texts.length <= MAX_DETAILS &&
      texts.every(([name, value]) => isDetailName(name) && typeof value === 'string') &&
      textOfDetails(details as Details) === text
    );
  } catch {
    return false;
  }
}

interface DetailDifference {
  field: `details.${string}`;
  recorded: string | null;
  given: string | null;
}

/** If `canAdd`, a detail that only `given` has is not a difference. */
export function detailDifferences(
  recorded: StoredDetails,
  given: StoredDetails,
  { canAdd }: { canAdd: boolean },
): DetailDifference[] {
  const [before, after] = [shownDetails(recorded), shownDetails(given)];
  if (recorded.detailsRemovedAtMs !== null || before === after) return [];
  const [ours, theirs] = [before, after].map((text) => (text === null ? {} : detailsOfText(text))) as [
    Details,
    Details,
  ];
  const names = new Set([...Object.keys(ours), ...(canAdd ? [] : Object.keys(theirs))]);
  return [...names]
    .sort()
    .filter((name) => detailOf(ours, name) !== detailOf(theirs, name))
    .map((name) => ({
      field: `details.${name}`,
      recorded: detailOf(ours, name) ?? null,
      given: detailOf(theirs, name) ?? null,
    }));
}

/** Returns null if the final change adds no detail, or if the details were removed. */
export const addedDetails = (recorded: StoredDetails, given: StoredDetails): string | null =>
  recorded.detailsRemovedAtMs !== null || recorded.details === given.details ? null : given.details;
