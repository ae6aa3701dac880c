/** A failure with what the user is shown: one or more sentences, each argument a line. */
class Failure extends Error {
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** A command that was used wrongly: exit status 2. */
export class UsageError extends Failure {
  override readonly name = 'UsageError';
}

/** A command that was used rightly and failed: exit status 1. */
export class CommandFailed extends Failure {
  override readonly name = 'CommandFailed';
}
