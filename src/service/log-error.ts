import { type SerializedError, stdSerializers } from 'pino';
import { StoreUnavailable } from '../values/store-errors.ts';

/** An error as the log has it. pino adds the messages of its causes, which the message of StoreUnavailable already has. */
export function logError(error: Error): SerializedError {
  const logged = stdSerializers.err(error);
  if (error instanceof StoreUnavailable) logged.message = error.message;
  return logged;
}
