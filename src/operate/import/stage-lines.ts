import type { FieldFault } from '../../../values/fault-list.ts';
import { causeOf, type FaultyLine } from '../../../values/faulty-line.ts';
import type { SourceLine } from '../../../values/source-line.ts';
import { accountNotDeclared } from '../../accounts/account.ts';
import type { FindArchived } from '../../ledger/archives/archives.ts';
import { archivedDay, statusNotDeclared, tooFarAhead } from '../../ledger/record/record.ts';
import type { AccountTransaction } from '../../ledger/transaction.ts';
import { type ParseRules, parseTransaction } from '../../ledger/transaction-fields.ts';
import type { RecordedReader } from './compare-staged.ts';
import type { ImportedTransaction, ImportStaging } from './import-staging.ts';

const LINES_PER_STAGE = 500;

interface StagedLines {
  lines: number;
  faultyLines: number;
}

export interface StageRules extends ParseRules {
  latestCreatedAtMs: number;
}

interface Staging extends Pick<RecordedReader, 'retrieveTransactions'> {
  findArchived: FindArchived;
  undeclared(accounts: Iterable<string>): Promise<ReadonlySet<string>>;
  onFault(fault: FaultyLine): Promise<void>;
  onProgress(lines: number): void;
}

export async function stageLines(
  batches: AsyncIterable<readonly SourceLine[]>,
  rules: StageRules,
  staging: ImportStaging,
  context: Staging,
): Promise<StagedLines> {
  const counts: StagedLines = { lines: 0, faultyLines: 0 };
  let valid: ImportedTransaction[] = [];
  for await (const batch of batches) {
    for (const checked of await checkLines(batch, rules, context)) {
      counts.lines++;
      if (!Array.isArray(checked)) valid.push(checked);
      else {
        counts.faultyLines++;
        for (const fault of checked) await context.onFault(fault);
      }
    }
    if (valid.length >= LINES_PER_STAGE) {
      staging.stage(valid);
      valid = [];
    }
    context.onProgress(counts.lines);
  }
  staging.stage(valid);
  return counts;
}

const faultyLine = (line: number, { field, name, code, detail }: FieldFault): FaultyLine => ({
  line,
  place: `column ${name === undefined ? field : `${field}.${name}`}`,
  cause: code,
  detail,
});

async function checkLines(
  batch: readonly SourceLine[],
  rules: StageRules,
  context: Staging,
): Promise<(ImportedTransaction | FaultyLine[])[]> {
  const checked = batch.map((source) => checkLine(source, rules));
  const good = checked.filter((one): one is ImportedTransaction => !Array.isArray(one));
  const undeclared = await context.undeclared(good.map(({ account }) => account));
  const archived = await context.findArchived(good);
  const faultOfNew = (one: ImportedTransaction) => {
    const archivedBeforeMs = archived.get(one);
    if (archivedBeforeMs !== undefined) return archivedDay(archivedBeforeMs);
    if (!rules.statuses.has(one.status)) return statusNotDeclared(one.status, rules.statuses);
    return one.createdAtMs > rules.latestCreatedAtMs ? tooFarAhead(rules.latestCreatedAtMs) : undefined;
  };
  const isNeverNew = (one: ImportedTransaction) => faultOfNew(one) !== undefined;
  const refused = await newOnes(good.filter(isNeverNew), rules, context);
  return checked.map((one) => {
    if (Array.isArray(one)) return one;
    const faults = [
      ...(undeclared.has(one.account) ? [accountNotDeclared(one.account)] : []),
      ...(refused.has(one) ? [faultOfNew(one) as FieldFault] : []),
    ];
    return faults.length === 0 ? one : faults.map((fault) => faultyLine(one.line, fault));
  });
}

function checkLine(source: SourceLine, rules: StageRules): ImportedTransaction | FaultyLine[] {
  const { line } = source;
  if ('fault' in source) return [{ line, place: null, cause: causeOf(source.fault), detail: source.fault }];
  const parsed = parseTransaction(source.record, rules);
  if ('transaction' in parsed) return { ...parsed.transaction, line };
  const { listed, unlisted, unlistedNote } = parsed.faults;
  const faults = listed.map((fault) => faultyLine(line, fault));
  if (unlisted > 0) faults.push({ line, place: null, cause: 'unlisted', detail: unlistedNote });
  return faults;
}

async function newOnes<Given extends AccountTransaction>(
  transactions: readonly Given[],
  { statuses }: Pick<StageRules, 'statuses'>,
  { retrieveTransactions }: Pick<RecordedReader, 'retrieveTransactions'>,
): Promise<Set<Given>> {
  const found = new Set<Given>(transactions);
  for (const [account, own] of Map.groupBy(transactions, (one) => one.account)) {
    const recorded = await retrieveTransactions(account, [...new Set(own.map(({ reference }) => reference))]);
    const recordedIn = new Map(recorded.map(({ reference, status }) => [reference, status]));
    for (const one of own) {
      const status = recordedIn.get(one.reference);
      if (status === one.status || (status !== undefined && statuses.has(one.status))) found.delete(one);
    }
  }
  return found;
}
