import { Unavailable } from './unavailable.ts';

/** The database can't answer now. */
export class StoreUnavailable extends Unavailable {
  override readonly name = 'StoreUnavailable';
}

/** The error of a database with the mark of a copy, which refuses other writes. */
export const movedAway = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable('moved', 'the data was moved to another database, or is copied into this one', {
    cause,
  });

/** The database is unusable until the operator changes something. The message is a sentence for them. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
