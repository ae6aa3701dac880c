import type { StagingFailed } from '../../db/sqlite/staging-failed.ts';
import { sentence } from '../../values/sentence.ts';

/** A count with commas between thousands. */
export const number = (value: number) => value.toLocaleString('en');

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${number(count)} ${count === 1 ? one : many}`;

export const lineCount = (count: number) => counted(count, 'line');

/** What a user can do about a temporary file that can't be written. */
export const explainStaging = ({ message }: StagingFailed) =>
  `${sentence(message)} Free space in the folder for temporary files, or set TMPDIR to another folder.`;
