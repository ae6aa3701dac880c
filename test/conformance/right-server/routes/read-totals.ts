import { FILTER_NAMES, matcher, readFilter } from '../filter.ts';
import { refuse } from '../problem.ts';
import { readQuery } from '../query.ts';
import type { Answer, Call } from '../service.ts';
import { addUp, type Period } from '../totals.ts';
import { withClockOf } from '../transaction.ts';
import { refuseInverted } from './export-transactions.ts';

/** `GET /v1/totals` */
export function readTotals({ service, account, query }: Call): Answer {
  const { values, faults } = readQuery(query, [...FILTER_NAMES, 'by']);
  const filter = readFilter(values, service.statuses, faults);
  faults.push(...refuseInverted(filter));
  const by = values.get('by');
  if (by !== undefined && by !== 'day' && by !== 'month') {
    faults.push({ parameter: 'by', code: 'invalid_by', detail: 'by must be day or month' });
  }
  if (by !== undefined && values.has('merchantReference'))
    faults.push({ parameter: 'by', code: 'invalid_by', detail: 'by cannot be sent with merchantReference' });
  refuse(faults);
  const ledger = service.ledger(account);
  const period = by as Period;
  const found = ledger.snapshot().filter(matcher(filter));
  const matching = found.map((one) => withClockOf(filter.timeZone, one));
  const asOfId = ledger.idAt(ledger.headSequence);
  const body = { data: addUp(matching, period), asOfId, asOf: ledger.headSequence };
  return { status: 200, body };
}
