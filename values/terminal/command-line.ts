import { type Command, CommanderError } from 'commander';
import { CommandFailed, UsageError } from '../failure.ts';
import { sentence } from '../sentence.ts';
import { StoreRefused, StoreUnavailable } from '../store-errors.ts';
import { ignoreClosedOutput, printNote, writeResult } from './output.ts';

const FAILED = 1;
const USED_WRONGLY = 2;

export function configureProgram(program: Command): Command {
  return program
    .configureOutput({ writeOut: writeResult, outputError: (text) => printNote(...errorLines(text)) })
    .showHelpAfterError('Add --help to see the usage.')
    .exitOverride();
}

/** The error of commander contains what the user typed, and can end with a suggestion on its own line. */
function errorLines(text: string): string[] {
  const [, error = '', suggestion] = /^([\s\S]*?)(?:\n(\(Did you mean .*\?\)))?\n?$/.exec(text) ?? [];
  return suggestion === undefined ? [error] : [error, suggestion];
}

/** The exit status is 0 if the command succeeded, 1 if it failed, and 2 if it was used wrongly. */
export async function runCommandLine(
  buildProgram: () => Promise<Command>,
  argv: readonly string[],
): Promise<void> {
  // A diagnostic report would contain all environment variables, and some of them are secrets.
  process.report.excludeEnv = true;
  ignoreClosedOutput();
  try {
    const program = await buildProgram();
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = exitStatusOf(error);
  }
}

function exitStatusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USED_WRONGLY;
  if (error instanceof UsageError || error instanceof CommandFailed) {
    printNote(...error.lines);
    return error instanceof UsageError ? USED_WRONGLY : FAILED;
  }
  if (error instanceof StoreRefused) {
    printNote(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`);
    return FAILED;
  }
  if (error instanceof StoreUnavailable) {
    printNote(`The command failed: ${sentence(error.message)}`);
    return FAILED;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  printNote(...`Internal error, please report it: ${stack}`.split('\n'));
  return FAILED;
}
