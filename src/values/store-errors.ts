/** The database can't answer now; the caller can retry. The cause is for the log, not for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The database can't be used until the operator changes something. The message is a sentence for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
