import { checkAccount } from './check-account.ts';
import { checkRecords } from './check-records.ts';
import type { VerifyContext } from './context.ts';
import { type Disagreement, nothingVerified, type Verified } from './disagreement.ts';
import type { VerifyReader } from './verify-reader.ts';

/** A read of so many rows takes some milliseconds. */
const PAGE_SIZE = 1000;

export interface VerifyOptions {
  /** The only account to check, or null for all. */
  account: string | null;
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
  { account, pageSize = PAGE_SIZE, onDisagreement, onProgress }: VerifyOptions,
): Promise<Verified> {
  const verified = nothingVerified();
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
  else {
    for (let next = await reader.nextAccount(''); next !== undefined; next = await reader.nextAccount(next))
      await checkAccount(context, next);
  }
  return verified;
}
