import { checkAccount } from './check-account.ts';
import { checkRecords } from './check-records.ts';
import type { VerifyContext } from './context.ts';
import { type Disagreement, nothingVerified, type Verified } from './disagreement.ts';
import type { VerifyReader } from './verify-reader.ts';

/** A read of so many rows takes some milliseconds. */
export const PAGE_SIZE = 1000;

export interface VerifyOptions {
  /** The only account to check, or null for all. */
  account: string | null;
  /** The accounts to check if not all are, and what was counted of the others. */
  remaining?: { accounts: AsyncIterable<string>; counted: Verified };
  /** The most transactions, index entries or totals of one read. */
  pageSize?: number;
  onDisagreement(disagreement: Disagreement): Promise<void>;
  onProgress(verified: Readonly<Verified>): void;
}

/**
 * Checks a database in short reads while it is used. Whatever is recorded, completed, numbered or folded meanwhile is no disagreement:
 * what was there when the check of an account began is compared, which later changes leave as it is.
 *
 * Returns how much was checked.
 */
export async function verify(
  reader: VerifyReader,
  { account, remaining, pageSize = PAGE_SIZE, onDisagreement, onProgress }: VerifyOptions,
): Promise<Verified> {
  const verified = remaining?.counted ?? nothingVerified();
  const report = async (disagreement: Disagreement) => {
    verified.disagreements++;
    await onDisagreement(disagreement);
  };
  const schema = await reader.checkSchema();
  verified.schemaObjects = schema.compared;
  for (const disagreement of schema.disagreements) await report(disagreement);
  const context: VerifyContext = {
    reader,
    schema,
    pageSize,
    verified,
    report,
    onProgress: () => onProgress(verified),
  };
  await checkRecords(context, account);
  if (account !== null) await checkAccount(context, account);
  else
    for await (const next of remaining?.accounts ?? accountsAfter(reader, ''))
      await checkAccount(context, next);
  return verified;
}

/** The accounts after one, whatever table has them. */
export async function* accountsAfter(
  reader: Pick<VerifyReader, 'nextAccount'>,
  after: string,
): AsyncGenerator<string, undefined> {
  for (let next = await reader.nextAccount(after); next !== undefined; next = await reader.nextAccount(next))
    yield next;
  return undefined;
}
