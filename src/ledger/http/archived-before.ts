import { Problem } from '../../../values/problem.ts';
import { notFound } from '../../http/operations/parameters.ts';
import { Type } from '../../http/schemas/type.ts';
import type { ArchiveReader } from '../archives/archive.ts';
import { firstDayNotArchived } from '../archives/archive.ts';
import { DAY_FORM } from './filter-parameters.ts';
import { REFERENCE } from './reference-parameter.ts';

export const ARCHIVED_BEFORE = {
  archivedBefore: Type.Optional(
    Type.String({
      description:
        'The first day of which nothing is archived, in the given time zone: transactions that were created before it are missing. Absent ' +
        'if the range of days does not reach archived days.',
      format: 'date',
      pattern: DAY_FORM,
      examples: ['2026-01-01'],
    }),
  ),
};

export async function transactionNotFound(
  store: ArchiveReader,
  account: string,
  reference: string,
): Promise<Problem> {
  const archive = await store.readArchive(account);
  const problem = notFound(REFERENCE, reference);
  if (archive === undefined) return problem;
  const day = firstDayNotArchived(archive.beforeMs, null);
  const archived = `Transactions that were created before ${day} (UTC) are archived: the operator of the service has them.`;
  return new Problem('not_found', `${problem.message} ${archived}`);
}
