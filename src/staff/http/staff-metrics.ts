import { Counter, type Registry } from '@prometheus-io/client';
import type { SignInFailure } from '../sign-in.ts';

const OUTCOMES = [
  'signed_in',
  'no_role',
  'refused',
  'stale',
  'provider_unavailable',
  'provider_invalid',
] as const;

export type SignInOutcome = (typeof OUTCOMES)[number] & (SignInFailure | 'signed_in' | 'no_role');

export type StaffMetrics = ReturnType<typeof createStaffMetrics>;

export function createStaffMetrics(registers: Registry[]) {
  const signIns = new Counter({
    name: 'transactions_staff_sign_ins_total',
    help: 'Sign-ins of staff by outcome: signed_in; no_role and refused, which are decisions about the person; stale, which is repeated or forged; provider_unavailable and provider_invalid.',
    labelNames: ['outcome'],
    registers,
  });
  // Each series begins at 0, because otherwise an alert could not see the first increase.
  for (const outcome of OUTCOMES) signIns.inc({ outcome }, 0);
  return { countSignIn: (outcome: SignInOutcome) => signIns.inc({ outcome }) };
}
