import { type Command, InvalidArgumentError, Option } from 'commander';
import { isWholeNumber } from '../whole-number.ts';

/* --json prints a list as one object on each line, and a single item as one object. */

export const jsonLinesOption = (what = '') => new Option('--json', `print a JSON object on each line${what}`);

export const withFormatOptions = (command: Command): Command =>
  command
    .addOption(jsonLinesOption().conflicts('csv'))
    .option('--csv', 'print CSV with a header instead of a table');

export const formatOf = ({ json, csv }: { json?: true | undefined; csv?: true | undefined }) =>
  json ? 'json' : csv ? 'csv' : 'table';

export const jsonOption = (what: string) => new Option('--json', `print ${what} as one JSON object`);

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const isValid = isWholeNumber(min, max);
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (text) => {
    if (isValid(text)) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}

/** A script passes an empty text if its variable is not set. */
export function parsePath(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It is empty. Give the path of a file or folder.');
}

export const parseSequence = wholeNumber(0);
