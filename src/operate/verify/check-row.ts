import { detailsOfText, isDetailsText } from '../../ledger/details.ts';
import { quote } from '../../values/quote.ts';
import { PENDING } from '../../values/status.ts';
import { STORED } from '../stored-rows.ts';
import type { StoredField, StoredRow } from './verify-reader.ts';

/** What a row has, and what it should have. */
export interface RowFault {
  found: string;
  expected: string;
}

export const show = (value: unknown): string => (typeof value === 'string' ? quote(value) : String(value));

/** The value of a field as reports have it. Details are a person's: no report has them. */
export const showField = (row: StoredRow, field: StoredField): string => {
  const value = row[field];
  const isDetails = field === 'details' || field === 'finalDetails';
  return isDetails && typeof value === 'string' ? `of ${value.length} characters` : show(value);
};

/** What is wrong with a row by itself. */
export function checkRow(row: StoredRow): RowFault[] {
  const faults: RowFault[] = [...checkDetails(row)];
  for (const { field, form } of STORED) {
    const { isValid, expected } = form;
    if (!isValid(row[field])) faults.push({ found: `${field} ${showField(row, field)}`, expected });
  }
  const { status, paidAtMs, pendingSequence, finalSequence } = row;
  if (status === PENDING && paidAtMs !== null)
    faults.push({ found: 'the status pending with paidAtMs', expected: 'no paidAtMs while it is pending' });
  if (status === 'completed' && paidAtMs === null)
    faults.push({ found: 'the status completed without paidAtMs', expected: 'paidAtMs, as it is completed' });
  if (status === PENDING && finalSequence !== null)
    faults.push({
      found: `the status pending with finalSequence ${finalSequence}`,
      expected: 'no finalSequence while it is pending',
    });
  const lastSequence = status === PENDING ? pendingSequence : finalSequence;
  if (lastSequence === null)
    faults.push({
      found: `the status ${status} without ${status === PENDING ? 'pendingSequence' : 'finalSequence'}`,
      expected: 'the sequence number of the change',
    });
  if (pendingSequence !== null && finalSequence !== null && pendingSequence >= finalSequence)
    faults.push({
      found: `pendingSequence ${pendingSequence} and finalSequence ${finalSequence}`,
      expected: 'a smaller pendingSequence than finalSequence',
    });
  for (const change of ['pending', 'final'] as const) {
    const sequence = row[`${change}Sequence`];
    for (const field of [`${change}RecordedAtMs`, `${change}Nonce`] as const) {
      if ((sequence === null) === (row[field] === null)) continue;
      faults.push({
        found: `${change}Sequence ${sequence} with ${field} ${row[field]}`,
        expected: 'both or neither',
      });
    }
  }
  return faults;
}

function checkDetails(row: StoredRow): RowFault[] {
  const { details, finalDetails, detailsRemovedAtMs, pendingSequence, finalSequence } = row;
  if (detailsRemovedAtMs !== null && (details !== null || finalDetails !== null))
    return [{ found: 'details with detailsRemovedAtMs', expected: 'no details after they were removed' }];
  if (finalDetails === null) return [];
  const expected = 'the details of the first change and more, from a final change after it';
  const before = details === null ? {} : isDetailsText(details) && detailsOfText(details);
  const after = isDetailsText(finalDetails) && detailsOfText(finalDetails);
  const areMore =
    before !== false &&
    after !== false &&
    Object.entries(before).every(([name, text]) => after[name] === text) &&
    details !== finalDetails;
  if (areMore && pendingSequence !== null && finalSequence !== null) return [];
  return [{ found: `finalDetails ${showField(row, 'finalDetails')}`, expected }];
}
