import { InvalidArgumentError } from 'commander';

/** The sequence number of an option, for commander. */
export function parseSequence(text: string): number {
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a sequence number: a whole number of at least 0.');
}

/** The id of a change of an option, for commander. */
export function parseChangeId(text: string): string {
  if (/^[\w-]{1,40}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the id of a change, such as chg_Zt7vJ2mXq0YtR5cQe1WbKd.');
}
