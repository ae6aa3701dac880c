import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Caller, OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import type { Scope } from '../../../values/scopes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of Authenticate; null on routes without it. */
    caller: Caller | null;
  }
}

/**
 * A hook that admits only requests with a valid API key that is within its rate limit and has a scope; null admits keys with any scopes.
 * An operator's key with a prefix is only admitted to the accounts that begin with it.
 */
export type Authenticate = (scope: Scope | null, cost?: number) => onRequestHookHandler;

/** Checks the key of an admitted request again, after it has waited. */
export interface KeyChecks {
  /** Whether the key is still accepted, as far as is known without a query. */
  isStillAdmitted(caller: Caller): boolean;
  /**
   * Whether the key is accepted now. Queries the store unless the key ends are known as of less than a second ago: a process that was
   * suspended, or could not reach the database for long, does not know them.
   */
  isAdmittedNow(request: FastifyRequest): boolean | Promise<boolean>;
  /**
   * Rejects with `invalid_api_key` if the key is not accepted now. Call it after the rows of a response were read: a process that was
   * suspended before can have read those of another account, which got the name of an erased one.
   */
  requireAdmitted(request: FastifyRequest): Promise<void>;
}

/** The caller of a request that passed a hook of Authenticate. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('the route does not require an API key');
  return request.caller;
}

/** The account of a request: the one that its key is for, or on the operator's listener the one that its path names. */
export function accountOf(request: FastifyRequest): string {
  const { account } = callerOf(request);
  return account === OPERATOR_ACCOUNT ? (request.params as { account: string }).account : account;
}
