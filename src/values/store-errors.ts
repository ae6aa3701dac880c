import { Unavailable } from './unavailable.ts';

/** The database can't answer now. */
export class StoreUnavailable extends Unavailable {
  override readonly name = 'StoreUnavailable';
}

/** The database can't be used until the operator changes something. The message is a sentence for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
