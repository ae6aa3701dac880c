import { randomBase62 } from '../../values/base62.ts';
import type { RandomBytes } from '../../values/reference.ts';
import { createSealer } from '../ledger/sealed-text.ts';
import type { StaffRole } from './staff.ts';

/** After this time, the roles are read from the provider again. */
export const SIGNED_IN_MS = 8 * 3_600_000;
export const SIGN_IN_MS = 10 * 60_000;

/** Enough characters for 131 random bits. */
const SECRET_CHARACTERS = 22;

export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
  find: string;
}

export interface SignedIn {
  person: string;
  roleIds: readonly string[];
  /** Each form contains this token, so that no page of another site can send the form. */
  formToken: string;
  expiresAtMs: number;
}

/** The encryption key is derived from the cursor secrets, so any instance can read the cookies. */
export function createCookieSealer(secrets: readonly string[], randomBytes: RandomBytes) {
  const sealer = createSealer(secrets, randomBytes, 'transactions staff 1');
  const open = (kind: string, cookie: string | undefined, nowMs: number) => {
    const opened = cookie === undefined ? undefined : sealer.open(kind, cookie);
    return opened !== undefined && nowMs < opened.expiresAtMs ? opened : undefined;
  };
  const newSecret = () => randomBase62(SECRET_CHARACTERS, randomBytes);
  return {
    begin(find: string, nowMs: number): { pending: PendingSignIn; cookie: string } {
      const pending = { state: newSecret(), nonce: newSecret(), verifier: newSecret() + newSecret(), find };
      const { state, nonce, verifier } = pending;
      return {
        pending,
        cookie: sealer.seal(PENDING, nowMs + SIGN_IN_MS, [state, nonce, verifier, find]),
      };
    },

    openPending(cookie: string | undefined, nowMs: number): PendingSignIn | undefined {
      const opened = open(PENDING, cookie, nowMs);
      if (opened === undefined) return undefined;
      const [state, nonce, verifier, find] = opened.values as [string, string, string, string];
      return { state, nonce, verifier, find };
    },

    /** If a person signs in again, pass their former `formToken`, so that forms in other tabs stay valid. */
    signIn(person: string, roles: readonly StaffRole[], nowMs: number, formToken = newSecret()): string {
      const roleIds = roles.map(({ id }) => id);
      return sealer.seal(SIGNED_IN, nowMs + SIGNED_IN_MS, [person, formToken, ...roleIds]);
    },

    openSignedIn(cookie: string | undefined, nowMs: number): SignedIn | undefined {
      const opened = open(SIGNED_IN, cookie, nowMs);
      if (opened === undefined) return undefined;
      const [person, formToken, ...roleIds] = opened.values as [string, string, ...string[]];
      return { expiresAtMs: opened.expiresAtMs, person, formToken, roleIds };
    },
  };
}

export type CookieSealer = ReturnType<typeof createCookieSealer>;

const PENDING = 'sign-in';
const SIGNED_IN = 'signed in';
