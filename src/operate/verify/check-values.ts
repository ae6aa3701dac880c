import { TABLES, type Table } from '../../../values/tables.ts';
import { MAX_REFUSED, selectRefused, type ValueCheck } from '../value-checks.ts';
import { isReadable, type VerifyContext } from './context.ts';

const NOT_SHOWN = ['account', 'at_ms', 'only_row'];

export function rowAt(table: Table, values: readonly (string | number | null)[]) {
  const key: readonly string[] = TABLES[table].key;
  const [noun, check] = TABLES[table].row;
  const shown = values.filter((_, at) => !NOT_SHOWN.includes(key[at] ?? ''));
  const account = key.includes('account') ? String(values[key.indexOf('account')]) : null;
  return { check, account, place: [noun, shown.join(', ')].join(' ').trim() };
}

/** Checks every row, because constraints may be missing. Values can be secrets, so they are not shown. */
export async function checkValues(context: VerifyContext, account: string | null): Promise<void> {
  for (const [table, checks] of context.schema.checks)
    await isReadable(context, { account: null, place: `table ${table}` }, () =>
      checkTable(context, table, checks, account),
    );
}

async function checkTable(
  { reader, report, onProgress }: VerifyContext,
  table: Table,
  checks: readonly ValueCheck[],
  account: string | null,
): Promise<void> {
  const ofAccount = TABLES[table].belongsTo === 'account' && account !== null ? [account] : [];
  const rows = await reader.readRefused(selectRefused(table, checks, ofAccount.length > 0), ofAccount);
  onProgress();
  for (const [names, ...key] of rows)
    for (const name of names.trim().split(' '))
      await report({
        ...rowAt(table, key),
        found: `a value that CHECK ${name} refuses`,
        expected: checks.find((check) => check.name === name)?.condition ?? '',
      });
  if (rows.length === MAX_REFUSED)
    await report({
      check: TABLES[table].row[1],
      account,
      place: `table ${table}`,
      found: `at least ${MAX_REFUSED} rows that CHECKs refuse`,
      expected: 'no such row',
    });
}
