import { InvalidArgumentError } from 'commander';

/** The sequence number of an option, for commander. */
export function parseSequence(text: string): number {
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a sequence number: a whole number of at least 0.');
}
