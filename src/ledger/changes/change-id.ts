import { hash } from 'node:crypto';
import type { Change } from './change.ts';

/** Characters after the prefix: 132 bits. */
const CHARACTERS = 22;

/** The form of the id of a change. */
export const CHANGE_ID_FORM = `^chg_[A-Za-z0-9_-]{${CHARACTERS}}$`;

/**
 * The id of a change of an account: the same wherever the change is read or copied to. A change that is recorded again after a restore
 * has another one, because its commit draws another nonce.
 */
export function changeId(account: string, { sequence, nonce }: Pick<Change, 'sequence' | 'nonce'>): string {
  const digest = hash('sha256', `${account} ${sequence} ${nonce}`, 'base64url');
  return `chg_${digest.slice(0, CHARACTERS)}`;
}
