import type { Logger } from 'pino';
import type { Statuses } from '../../values/status.ts';
import { RecognisedStatuses, type StatusReader } from '../ledger/recorded-statuses.ts';

/** A failed read is only logged, because `readFor` reads again when a request has an unknown status. */
export async function recogniseStatuses(
  declared: Statuses,
  reader: StatusReader,
  logger: Logger,
): Promise<RecognisedStatuses> {
  const statuses = new RecognisedStatuses(declared, reader);
  try {
    await statuses.read();
  } catch (error) {
    logger.warn({ err: error }, 'could not read the recorded statuses');
  }
  return statuses;
}

export async function warnOfUndeclared(
  declared: Statuses,
  reader: StatusReader,
  logger: Logger,
): Promise<void> {
  const recognised = await recogniseStatuses(declared, reader, logger);
  const undeclared = [...recognised.keys()].filter((status) => !declared.has(status));
  if (undeclared.length === 0) return;
  logger.warn(
    { statuses: undeclared },
    'the database has transactions in statuses that STATUSES does not declare: filters accept them, and no further transaction can be recorded in them',
  );
}
