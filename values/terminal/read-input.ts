import { createReadStream } from 'node:fs';
import { CommandFailed } from '../failure.ts';
import { quote } from '../quote.ts';
import { sentence } from '../sentence.ts';
import { UnreadableSource } from '../source-line.ts';
import { explainFileError } from './file-error.ts';
import type { StagingFailed } from './temporary-database.ts';

const PIECE_BYTES = 65_536;
const MAX_LINE_CHARACTERS = 1000;

/** Opens the file on the first read. If it were opened earlier, nothing would handle an error. */
export async function* readInput(file: string): AsyncGenerator<Buffer, void, undefined> {
  yield* file === '-' ? process.stdin : createReadStream(file, { highWaterMark: PIECE_BYTES });
}

export async function readFirstLine(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += piece;
    if (text.includes('\n') || text.length > MAX_LINE_CHARACTERS) break;
  }
  return text.split('\n', 1)[0]?.trim() ?? '';
}

/** An error that does not come from the input is returned unchanged. */
export function explainUnreadable(
  error: unknown,
  file: string,
  purpose: 'imported' | 'compared' | 'read',
  ...outcome: [] | [string]
): unknown {
  const failed = (...parts: readonly string[]) => new CommandFailed([...parts, ...outcome].join(' '));
  if (error instanceof UnreadableSource) return failed(`${file} can't be ${purpose}:`, error.message);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall === 'open') return new CommandFailed(`There is no file ${quote(file)}.`);
  if (syscall === 'open' || syscall === 'read')
    return failed(`${file} can't be read:`, explainFileError(error));
  return error;
}

export const explainStaging = ({ message }: StagingFailed) =>
  `${sentence(message)} Free space in the folder for temporary files, or set TMPDIR to another folder.`;
