import type { Command } from 'commander';
import { counted } from '../../../values/counted.ts';
import { COLUMN_FIELDS } from '../../../values/interface/fields.ts';
import { formatOf, wholeNumber, withFormatOptions } from '../../../values/terminal/options.ts';
import { listProgress, printLines, printNote } from '../../../values/terminal/output.ts';
import type { Transaction } from '../../src/index.ts';
import { explain, type ServiceOptions, withService } from '../api-client.ts';
import { archivedNote } from '../archived-note.ts';
import { withExtraColumns } from '../extra-columns.ts';
import { type ExtraColumns, LIST_FORMATS } from './list-formats.ts';

export interface OutputOptions extends ServiceOptions, ExtraColumns {
  limit?: number | undefined;
  json?: true | undefined;
  csv?: true | undefined;
}

export const withOutputOptions = (command: Command): Command =>
  withService(
    withExtraColumns(
      withFormatOptions(
        command.option('--limit <count>', 'only the newest COUNT transactions', wholeNumber(1)),
      ),
    ),
  );

const OUTPUT_OPTIONS: readonly string[] = [
  ...['limit', 'json', 'csv', 'details', 'url', 'allowHttp'],
  ...COLUMN_FIELDS,
];

export const queryOf = <Query extends object>(options: Query & OutputOptions): Query =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => !OUTPUT_OPTIONS.includes(name)),
  ) as unknown as Query;

interface Page {
  data: Transaction[];
  archivedBefore?: string;
}

interface Printed<Read> {
  what: string;
  serviceUrl: string;
  progressOf: (page: Read) => string;
}

export async function printTransactions<Read extends Page>(
  pages: AsyncIterable<Read>,
  { limit, json, csv, ...extra }: OutputOptions,
  { what, serviceUrl, progressOf }: Printed<Read>,
): Promise<void> {
  const { head, lines } = LIST_FORMATS[formatOf({ json, csv })](extra);
  const shown = listProgress();
  let count = 0;
  let archivedBefore: string | undefined;
  const printed = async function* () {
    try {
      for await (const read of pages) {
        const page = read.data.slice(0, limit === undefined ? undefined : limit - count);
        if (page.length > 0) yield [...(count === 0 ? head : []), ...lines(page)];
        count += page.length;
        if (count === limit) return;
        shown.show(`${counted(count, 'transaction')}${progressOf(read)}`);
        archivedBefore = read.archivedBefore;
      }
      if (count === 0) yield head;
    } finally {
      shown.clear();
    }
  };
  try {
    if (!(await printLines(printed(), { exact: csv === true }))) return;
  } catch (error) {
    const outcome =
      count === 0 ? undefined : `The ${what} is incomplete: it ends after ${counted(count, 'transaction')}.`;
    throw explain(error, serviceUrl, outcome);
  }
  const nothing = count > 0 || json || csv ? [] : ['No transactions match.'];
  printNote(...nothing, ...archivedNote(archivedBefore));
}
