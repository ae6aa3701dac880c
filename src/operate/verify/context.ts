import type { Disagreement, Verified } from '../disagreement.ts';
import { type SchemaCheck, StorageDamaged } from '../stored-rows.ts';
import type { VerifyReader } from '../verify-reader.ts';

export interface VerifyContext {
  readonly reader: VerifyReader;
  readonly schema: SchemaCheck;
  readonly pageSize: number;
  readonly recordedStatuses: Set<string>;
  readonly verified: Verified;
  report(disagreement: Disagreement): Promise<void>;
  onProgress(): void;
}

export async function isReadable(
  { report }: Pick<VerifyContext, 'report'>,
  { account, place }: { account: string | null; place: string },
  read: () => Promise<void>,
): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (!(error instanceof StorageDamaged)) throw error;
    const found = `an error of the database: ${error.report}`;
    await report({ check: 'pages', account, place, found, expected: 'readable data' });
    return false;
  }
}
