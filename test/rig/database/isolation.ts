import assert from 'node:assert/strict';

const accountOfKey = new Map<string, string>();

/** Makes a reference that begins with its account, so that `refuseForeignRows` can check the account. */
export function tagged(account: string, name: string): string {
  return `${account}.${name}`;
}

export function noteKey(key: string, account: string): void {
  accountOfKey.set(key, account);
}

export function refuseForeignRows(key: string | undefined, body: unknown): void {
  const account = key === undefined ? undefined : accountOfKey.get(key);
  if (account === undefined) return;
  for (const reference of referencesIn(body)) {
    assert.ok(reference.startsWith(tagged(account, '')), `${account} was shown the foreign row ${reference}`);
  }
}

interface Row {
  reference?: string;
}

function referencesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { data, reference } = body as { data?: (Row | { transaction: Row })[]; reference?: string };
  if (data !== undefined)
    return data.flatMap((row) => ('transaction' in row ? row.transaction : row).reference ?? []);
  return reference === undefined ? [] : [reference];
}
