import { Option } from 'commander';

/*
 * --json means the same everywhere: a list is one object on each line, which can be read as it comes; a single thing is one
 * object.
 */

/** The option of a command that prints a list. */
export const jsonLinesOption = (what = '') => new Option('--json', `print a JSON object on each line${what}`);

/** The option of a command that prints one thing. */
export const jsonOption = (what: string) => new Option('--json', `print ${what} as one JSON object`);
