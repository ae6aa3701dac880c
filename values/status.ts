import { nearest } from './nearest.ts';
import { quote } from './quote.ts';

type PaymentRule = 'paid' | 'unpaid';

/** In order: the built-in statuses, then the statuses of the operator. */
export type Statuses = ReadonlyMap<string, PaymentRule>;

export interface StatusNames {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

export const PENDING = 'pending';

export const BUILT_IN_STATUSES: Statuses = new Map([
  [PENDING, 'unpaid'],
  ['completed', 'paid'],
]);

const MAX_STATUSES = 32;

export const STATUS_FORM = '^[a-z][a-z0-9_]{0,31}$';

const STATUS = new RegExp(STATUS_FORM);

export const isStatusName = (text: string): boolean => STATUS.test(text);

const MAX_DECLARED = MAX_STATUSES - BUILT_IN_STATUSES.size;

/** The form of a declaration is `name:paid,name:unpaid`. */
export function declareStatuses(declaration: string): { statuses: Statuses } | { faults: string[] } {
  const statuses = new Map(BUILT_IN_STATUSES);
  const faults: string[] = [];
  for (const entry of declaration.split(',')) {
    const [name = '', rule, ...rest] = entry.trim().split(':');
    if (!isStatusName(name))
      faults.push(
        faultyEntry(
          `${quote(name)} is not a status name (a lower-case letter, then up to 31 of a-z, 0-9 and _)`,
        ),
      );
    else if (statuses.has(name))
      faults.push(
        faultyEntry(`${quote(name)} is ${BUILT_IN_STATUSES.has(name) ? 'built in' : 'declared twice'}`),
      );
    else if ((rule !== 'paid' && rule !== 'unpaid') || rest.length > 0)
      faults.push(faultyEntry(`${quote(name)} must be followed by ":paid" or ":unpaid"`));
    else statuses.set(name, rule);
  }
  if (statuses.size > MAX_STATUSES)
    faults.push(
      `declares ${statuses.size - BUILT_IN_STATUSES.size} statuses; at most ${MAX_DECLARED} are possible`,
    );
  return faults.length > 0 ? { faults } : { statuses };
}

const faultyEntry = (fault: string): string =>
  `has a faulty entry: ${fault}; write it as failed:unpaid,captured:paid`;

export function explainStatus(text: string, statuses: StatusNames): string {
  const known = `Recognised: ${[...statuses.keys()].join(', ')}.`;
  if (text === '') return `The value is empty. ${known}`;
  const several = text.split(/[,;|\s]+/).filter((part) => part !== '');
  if (several.length > 1 && several.every((part) => statuses.has(part)))
    return `${quote(text)} is several statuses: send status in a request for each, or omit it for all.`;
  const meant = nearest(text.trim(), statuses.keys());
  return `${quote(text)} is not a recognised status${meant === undefined ? '.' : `: did you mean ${meant}?`} ${known}`;
}
