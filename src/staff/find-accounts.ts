import type { AccountLister } from '../accounts/account.ts';

/** At most this many names are read to find those that contain `part`. */
const MAX_READ = 20_000;
const READ_AT_ONCE = 1000;
const MAX_FOUND = 20;

interface FoundAccounts {
  accounts: readonly string[];
  isCut: boolean;
}

/** Names that begin with `part` come first, then names that contain it in upper or lower case. */
export async function findAccounts(
  lister: AccountLister,
  prefixes: readonly (string | null)[],
  part: string,
): Promise<FoundAccounts> {
  const found = new Set<string>();
  let isCut = false;
  for (const prefix of prefixes) {
    const beginning = narrower(prefix, part);
    if (beginning === undefined) continue;
    const listed = await lister.listAccounts({ after: null, prefix: beginning }, MAX_FOUND + 1);
    for (const { account } of listed) found.add(account);
  }
  let left = MAX_READ;
  for (const prefix of prefixes) {
    for (let after: string | null = null; found.size <= MAX_FOUND; ) {
      if (left <= 0) {
        isCut = true;
        break;
      }
      const listed = await lister.listAccounts({ after, prefix }, READ_AT_ONCE);
      for (const { account } of listed)
        if (account.toLowerCase().includes(part.toLowerCase())) found.add(account);
      left -= listed.length;
      after = listed.at(-1)?.account ?? null;
      if (listed.length < READ_AT_ONCE) break;
    }
  }
  return { accounts: [...found].slice(0, MAX_FOUND), isCut: isCut || found.size > MAX_FOUND };
}

function narrower(prefix: string | null, part: string): string | undefined {
  if (prefix === null || part.startsWith(prefix)) return part;
  return prefix.startsWith(part) ? prefix : undefined;
}
