import assert from 'node:assert/strict';

/*
 * Every row that a test records begins its reference with its account and a dot, and every key that a test makes is
 * noted here: so an answer that shows a row of another account fails the test, whatever the test is about.
 */

const accountOfKey = new Map<string, string>();

/** A reference as the rows of tests have it. */
export function tagged(account: string, name: string): string {
  return `${account}.${name}`;
}

/** Notes whose rows a key may be shown. */
export function noteKey(key: string, account: string): void {
  accountOfKey.set(key, account);
}

/** Fails where an answer to a key holds a row of another account: in a page of a list, or one transaction alone. */
export function refuseForeignRows(key: string | undefined, body: unknown): void {
  const account = key === undefined ? undefined : accountOfKey.get(key);
  if (account === undefined) return;
  for (const reference of referencesIn(body)) {
    assert.ok(reference.startsWith(tagged(account, '')), `${account} was shown the foreign row ${reference}`);
  }
}

function referencesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { data, reference } = body as { data?: { reference: string }[]; reference?: string };
  if (data !== undefined) return data.map((row) => row.reference);
  return reference === undefined ? [] : [reference];
}
