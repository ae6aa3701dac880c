import { SECRET_PREFIXES } from '../../../values/caller.ts';

/**
 * An identifier for the log; undefined if it contains an API key or the code of a session, which callers can
 * send in its place by mistake.
 */
export function loggable(identifier: string | undefined): string | undefined {
  const isSecret = SECRET_PREFIXES.some((prefix) => identifier?.includes(prefix));
  return isSecret ? undefined : identifier;
}
