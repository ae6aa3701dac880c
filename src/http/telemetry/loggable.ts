import { API_KEY_PREFIX, OPERATOR_KEY_PREFIX } from '../../values/caller.ts';

/** An identifier for the log; undefined if it contains an API key, which callers can send in its place by mistake. */
export function loggable(identifier: string | undefined): string | undefined {
  const isKey = identifier?.includes(API_KEY_PREFIX) || identifier?.includes(OPERATOR_KEY_PREFIX);
  return isKey ? undefined : identifier;
}
