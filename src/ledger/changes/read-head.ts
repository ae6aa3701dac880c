import type { ChangeReader } from './change.ts';

/** The number of the last change of an account, 0 without one. */
export async function readHead(reader: Pick<ChangeReader, 'readHeads'>, account: string): Promise<number> {
  return (await reader.readHeads([account])).get(account) ?? 0;
}
