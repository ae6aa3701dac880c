import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed } from '../../../values/failure.ts';
import { quote } from '../../../values/quote.ts';
import { readLines } from '../../../values/read-lines.ts';
import { explainFileError } from '../../../values/terminal/file-error.ts';
import { explainStaging, explainUnreadable, readInput } from '../../../values/terminal/read-input.ts';
import { StagingFailed } from '../../../values/terminal/temporary-database.ts';
import { SEAL_FORM } from '../../ledger/seals/seal.ts';
import { isIdentifier } from '../../ledger/transaction.ts';
import type { KeptSeal, SealComparison } from '../../operate/compare-seals.ts';
import { StagedChanges } from '../../operate/sqlite/archived-changes.ts';

const SEAL = new RegExp(SEAL_FORM);

/** A seal from `GET /v1/seal` does not name its account, so the argument `account` names it. */
export async function readKeptSeals(name: string, account: string | null): Promise<Map<string, KeptSeal[]>> {
  const texts = await Array.fromAsync(readLines(readInput(name), 'perhaps it is another file')).catch(
    (error) => {
      throw explainUnreadable(error, name, 'read');
    },
  );
  const lines = texts
    .flat()
    .flatMap((line, index) => (line.trim() === '' ? [] : ([[line, index + 1]] as const)));
  const kept = lines.map(([line, number]) => {
    const seal = parsed(line);
    if (isKeptSeal(seal)) return seal;
    const own = { ...Object(seal), account };
    const isOwn = isKeptSeal({ ...own, account: 'any' }) && !('account' in Object(seal));
    if (isOwn && account !== null) return own as KeptSeal;
    throw new CommandFailed(
      `Line ${number} of ${name} is no line of "transactions seals": ${quote(line.slice(0, 80))}. Each is a JSON object with account, sequence, id and seal.${isOwn ? ' If the lines have no account, name the account with --account.' : ''}`,
    );
  });
  if (kept.length === 0)
    throw new CommandFailed(`${name} has no line. "transactions seals" prints the lines to keep.`);
  return Map.groupBy(kept, ({ account }) => account);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isKeptSeal(value: unknown): value is KeptSeal {
  if (typeof value !== 'object' || value === null) return false;
  const { account, sequence, id, seal, floorSequence, rest } = value as Record<string, unknown>;
  return (
    typeof account === 'string' &&
    isIdentifier(account) &&
    Number.isSafeInteger(sequence) &&
    Number(sequence) >= 0 &&
    (id === null ? sequence === 0 : typeof id === 'string') &&
    isSeal(seal) &&
    (floorSequence === undefined ? rest === undefined : Number.isSafeInteger(floorSequence) && isSeal(rest))
  );
}

const isSeal = (value: unknown) => typeof value === 'string' && SEAL.test(value);

const SAYS: Readonly<Record<SealComparison, string>> = {
  same: 'this history leads to it',
  partial:
    'the changes after the last archived change lead to it, but it was kept before or after another archive: --archives compares the earlier changes too',
  archived: 'its change is before the last archived change: only --archives can compute it',
  altered: 'this history does not lead to it: changes up to it were altered',
  replaced: 'this history does not lead to it: its change has another id',
  missing: 'this history does not lead to it: the change, or one before it, is missing',
};

export const comparisonLine = ({ account, sequence }: KeptSeal, comparison: SealComparison): string =>
  `account ${quote(account)}, kept seal at the sequence number ${sequence}: ${SAYS[comparison]}`;

export async function readArchivedChanges(folder: string): Promise<StagedChanges> {
  const staged = new StagedChanges();
  try {
    const names = await readdir(folder);
    for (const name of names) {
      if (!name.endsWith('.csv') || !names.includes(name.replace(/csv$/, 'json'))) continue;
      const file = join(folder, name);
      await staged.add(readInput(file)).catch((error) => {
        throw explainUnreadable(error, file, 'read');
      });
    }
    return staged;
  } catch (error) {
    staged.close();
    if (error instanceof StagingFailed)
      throw new CommandFailed(`The archived files could not be compared: ${explainStaging(error)}`);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new CommandFailed(`${folder} can't be read: ${explainFileError(error)}`);
  }
}
