import {
  type ArchivedChanges,
  compareSeals,
  type KeptSeal,
  type SealComparison,
  sealDisagreement,
} from '../compare-seals.ts';
import type { CopyMark } from '../copy-mark.ts';
import { type Disagreement, nothingVerified, type Verified } from '../disagreement.ts';
import { isAfter, StorageDamaged } from '../stored-rows.ts';
import type { VerifyReader } from '../verify-reader.ts';
import { checkAccount } from './check-account.ts';
import { checkRecords } from './check-records.ts';
import { checkValues } from './check-values.ts';
import { isReadable, type VerifyContext } from './context.ts';

/** Reading this many rows takes a few milliseconds. */
const PAGE_SIZE = 1000;

export interface VerifyOptions {
  /** If null, verifies all accounts. Only then are pages and indexes verified too. */
  account: string | null;
  pageSize?: number;
  keptSeals?: ReadonlyMap<string, readonly KeptSeal[]>;
  archivedChanges?: ArchivedChanges | undefined;
  onSealCompared?(kept: KeptSeal, comparison: SealComparison): Promise<void>;
  onDisagreement(disagreement: Disagreement): Promise<void>;
  onProgress(verified: Readonly<Verified>): void;
  onStorageProgress?(what: string): void;
  onIndexesNotChecked?(reason: string): void;
}

export async function verify(reader: VerifyReader, options: VerifyOptions): Promise<Verified> {
  const { account, pageSize = PAGE_SIZE, onDisagreement, onProgress } = options;
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
    recordedStatuses: new Set(),
    verified,
    report,
    onProgress: () => onProgress(verified),
  };
  await checkMark(context);
  if (account === null) await checkStorage(context, options);
  await checkValues(context, account);
  await checkRecords(context, account);
  if (account !== null) await checkAccount(context, account);
  else
    await isReadable(context, { account: null, place: 'the accounts' }, async () => {
      for await (const next of accountsAfter(reader, '')) await checkAccount(context, next);
    });
  await checkKeptSeals(context, options);
  return verified;
}

async function checkKeptSeals(
  context: VerifyContext,
  { account, keptSeals = new Map(), archivedChanges, onSealCompared = async () => {} }: VerifyOptions,
): Promise<void> {
  for (const [owner, kept] of keptSeals) {
    if (account !== null && owner !== account) continue;
    await isReadable(context, { account: owner, place: 'its changes' }, async () => {
      for (const [one, comparison] of await compareSeals(context.reader, owner, kept, archivedChanges)) {
        await onSealCompared(one, comparison);
        const disagreement = sealDisagreement(one, comparison);
        if (disagreement !== undefined) await context.report(disagreement);
      }
    });
  }
}

async function checkMark({ reader, schema, report }: VerifyContext): Promise<void> {
  if (!schema.tables.has('copy_state')) return;
  await isReadable({ report }, { account: null, place: 'the mark of a copy' }, async () => {
    const mark = await reader.readMark();
    if (mark?.state === 'copying') await report(unfinishedCopy(mark));
  });
}

export const unfinishedCopy = ({ other }: CopyMark): Disagreement => ({
  check: 'copy',
  account: null,
  place: 'the database',
  found: `a part of ${other}, from a copy that has not ended`,
  expected: 'all of it',
});

async function checkStorage(
  { reader, verified, report }: VerifyContext,
  { onStorageProgress = () => {}, onIndexesNotChecked }: VerifyOptions,
): Promise<void> {
  const { disagreements, indexes, notChecked } = await reader.checkStorage(onStorageProgress);
  verified.indexes = indexes;
  for (const disagreement of disagreements) await report(disagreement);
  if (notChecked !== null) onIndexesNotChecked?.(notChecked);
}

export async function* accountsAfter(
  reader: Pick<VerifyReader, 'nextAccount'>,
  after: string,
): AsyncGenerator<string> {
  let last = after;
  for (let next = await reader.nextAccount(last); next !== undefined; next = await reader.nextAccount(last)) {
    if (!isAfter([next], [last])) throw new StorageDamaged('accounts are not in their order');
    yield next;
    last = next;
  }
}
