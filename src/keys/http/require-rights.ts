import type { FastifyRequest } from 'fastify';
import { Problem } from '../../http/problems/problem.ts';
import { PROBLEMS } from '../../http/problems/problems.ts';
import type { Caller } from '../../values/caller.ts';
import type { Scope } from '../../values/scopes.ts';
import { isWithinPrefix, listed } from '../scopes.ts';
import { CHALLENGE } from './challenge.ts';

/**
 * Throws: `insufficient_scope` if the key of a caller lacks a scope (null: none is needed), or the account of the path is not among those of the key.
 *
 * Source: RFC 6750, 3.1.
 */
export function requireRights(caller: Caller, scope: Scope | null, { params }: FastifyRequest): void {
  const { scopes, accountPrefix, person } = caller;
  if (scope !== null && !scopes.includes(scope)) {
    throw new Problem(
      PROBLEMS.insufficient_scope,
      `This operation needs a key with the scope ${scope}. This ${person === null ? 'key' : 'session'} has ${scopes.length === 0 ? 'none' : listed(scopes)}. ${person === null ? 'Ask the operator for another one.' : 'The platform can open another one.'}`,
      { headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` } },
    );
  }
  const { account } = (params ?? {}) as { account?: string };
  if (account !== undefined && !isWithinPrefix(account, accountPrefix)) {
    throw new Problem(
      PROBLEMS.insufficient_scope,
      `This key is only for accounts that begin with "${accountPrefix}". Use another key.`,
      {
        headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` },
      },
    );
  }
}
