/** A command that was used wrongly: exit status 2. The message is one or more sentences for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command that was used rightly and failed: exit status 1. The message is one or more sentences for the user. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
