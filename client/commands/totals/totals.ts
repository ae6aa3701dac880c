import { type Command, Option } from 'commander';
import { jsonOption } from '../../../values/terminal/options.ts';
import { printLines, printNote } from '../../../values/terminal/output.ts';
import { type Column, table } from '../../../values/terminal/table.ts';
import { type Totals, type TotalsQuery, type TotalsRow, TransactionsClient } from '../../src/index.ts';
import { explain, type ServiceOf, type ServiceOptions, withService } from '../api-client.ts';
import { archivedNote } from '../archived-note.ts';
import { withFilters, withPaidDays } from '../filter-options.ts';

interface TotalsOptions extends TotalsQuery, ServiceOptions {
  json?: true;
}

export const TOTALS_COLUMNS: readonly Column<TotalsRow>[] = [
  { title: 'CURRENCY', text: ({ currencyCode }) => currencyCode },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'COUNT', text: ({ count }) => String(count), isNumber: true },
  { title: 'AMOUNT', text: ({ amount }) => amount, isNumber: true },
];

const PERIOD_COLUMNS: Record<NonNullable<TotalsQuery['by']>, Column<TotalsRow>> = {
  day: { title: 'DAY', text: ({ day = '' }) => day },
  month: { title: 'MONTH', text: ({ month = '' }) => month },
};

export function totalsCommand(program: Command, serviceOf: ServiceOf): void {
  const command = program.command('totals').description('print the counts and sums of the transactions');
  withFilters(withPaidDays(command))
    .addOption(new Option('--by <period>', 'split the totals by "day" or "month"').choices(['day', 'month']))
    .addOption(jsonOption('the totals'));
  withService(command).action((options) => printTotals(options, serviceOf));
}

async function printTotals(
  { json, url, allowHttp, ...query }: TotalsOptions,
  serviceOf: ServiceOf,
): Promise<void> {
  const service = await serviceOf({ url, allowHttp });
  try {
    const totals = await new TransactionsClient({ ...service, maxRetries: 1 }).totals(query);
    const lines = json ? [JSON.stringify(totals)] : tableOf(totals, query.by);
    if (!(await printLines([lines]))) return;
    printNote(...(json ? [] : [asOfNote(totals)]), ...archivedNote(totals.archivedBefore));
  } catch (error) {
    throw explain(error, service.url, undefined);
  }
}

function tableOf({ data }: Totals, by: TotalsQuery['by']): string[] {
  const period = by === undefined ? [] : [PERIOD_COLUMNS[by]];
  return data.length === 0 ? [] : table([...period, ...TOTALS_COLUMNS], data);
}

function asOfNote({ data, asOf }: Totals): string {
  const when = `up to change ${asOf} of the account.`;
  return data.length === 0 ? `No transactions match, ${when}` : `These are the totals ${when}`;
}
