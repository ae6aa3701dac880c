import { StoreUnavailable } from './store-errors.ts';

const NO_ANSWER = 'the database did not answer in time';

/**
 * The answer of the database, if it arrives within the time limit. A later answer is ignored.
 *
 * Throws: StoreUnavailable with the reason, after the time limit.
 */
export async function withinTime<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
  reason = NO_ANSWER,
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new StoreUnavailable(reason)), Math.max(0, timeoutMs));
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
