import { isDispute } from '../text/status.ts';
import { PENDING } from './route.ts';

/** The service writes the statuses into the page. Each paid status has the value true. */
export const STATUSES: ReadonlyMap<string, boolean> = new Map(
  document
    .querySelector<HTMLMetaElement>('meta[name="statuses"]')
    ?.content.split(' ')
    .map((one) => one.split(':'))
    .map(([name = '', rule]) => [name, rule === 'paid']),
);

const NAMES = [...STATUSES.keys()];
const rank = (status: string) =>
  status === 'completed' ? 0 : STATUSES.get(status) ? 1 : status === PENDING ? 2 : 3;

export const byImportance = (left: string, right: string): number =>
  rank(left) - rank(right) || NAMES.indexOf(left) - NAMES.indexOf(right);

export const isPaid = (status: string): boolean => STATUSES.get(status) === true;

export function markOf(status: string): 'completed' | 'pending' | 'bad' | 'other' {
  if (status === 'completed' || status === PENDING) return status;
  return (isDispute(status) ? /reversed|won/.test(status) : isPaid(status)) ? 'other' : 'bad';
}
