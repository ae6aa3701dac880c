class Failure extends Error {
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** The command was used wrongly: exit status 2. */
export class UsageError extends Failure {
  override readonly name = 'UsageError';
}

/** The command was used correctly and failed: exit status 1. */
export class CommandFailed extends Failure {
  override readonly name = 'CommandFailed';
}
