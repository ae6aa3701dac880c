import { Unavailable } from './unavailable.ts';

export class StoreUnavailable extends Unavailable {
  override readonly name = 'StoreUnavailable';
}

export const movedAway = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable('moved', 'the data was moved to another database, or is copied into this one', {
    cause,
  });

/** The database is unusable until the operator acts. The message is a sentence for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
