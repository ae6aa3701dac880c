import type { AccountHead, CopyReader } from './copy-reader.ts';

const HEADS_PER_READ = 1000;

/** The heads of all accounts, in their order. */
export async function* headsOf(reader: CopyReader): AsyncGenerator<AccountHead, undefined> {
  for await (const heads of headPages(reader)) yield* heads;
  return undefined;
}

export async function* headPages(reader: CopyReader): AsyncGenerator<AccountHead[], undefined> {
  for (let after = ''; ; ) {
    const heads = await reader.listHeads(after, HEADS_PER_READ);
    const last = heads.at(-1);
    if (last === undefined) return undefined;
    yield heads;
    if (heads.length < HEADS_PER_READ) return undefined;
    after = last.account;
  }
}
