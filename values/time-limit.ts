import { StoreUnavailable } from './store-errors.ts';

export async function withinTime<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
  late = () => new StoreUnavailable('database_timeout'),
): Promise<Answer> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(late()), Math.max(0, timeoutMs));
  try {
    return await Promise.race([answer, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
