import type { PendingSignIn } from './sealed-cookies.ts';
import type { Claims, StaffRole } from './staff.ts';

export interface ProviderSettings {
  issuer: string;
  scopes: string;
  clientId: string;
  clientSecret: string;
  redirectUrl: string;
}

export interface StaffSettings extends ProviderSettings {
  roles: readonly StaffRole[];
  personClaim: string;
  publicUrl: string;
}

export interface SignInProvider {
  /** With `isAskedAgain`, the provider asks for credentials even if the person is signed in there. */
  addressOf(pending: PendingSignIn, isAskedAgain: boolean): Promise<string>;
  claimsOf(query: string, pending: PendingSignIn): Promise<Claims>;
}

/**
 * `stale`: the browser did not begin the sign-in, or the sign-in was finished before. `refused`: the provider
 * refused the person. `provider_invalid`: the response is wrong, or the provider refused the service.
 */
export type SignInFailure = 'stale' | 'refused' | 'provider_unavailable' | 'provider_invalid';

/** The message is for the log, so it has no code, token or claim. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly failure: SignInFailure;

  constructor(failure: SignInFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}
