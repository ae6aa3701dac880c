import type { Command } from 'commander';
import { formatTransaction } from '../../ledger/transaction-fields.ts';
import { CommandFailed } from '../../values/failure.ts';
import { quote } from '../../values/quote.ts';
import { loadConfig } from '../load-config.ts';
import { jsonOption } from '../terminal/json-options.ts';
import { printResult } from '../terminal/output.ts';
import { withStore } from '../with-store.ts';
import { accountOf, referenceOf } from './identifier-options.ts';

export function showCommand(program: Command): void {
  program
    .command('show')
    .description('print one transaction of an account')
    .argument('<reference>', 'the reference of the transaction')
    .requiredOption('--account <id>', 'the account of the transaction')
    .addOption(jsonOption('the transaction'))
    .action(showTransaction);
}

interface ShowOptions {
  account: string;
  json?: true;
}

async function showTransaction(reference: string, { account, json }: ShowOptions): Promise<void> {
  const of = { account: accountOf(account), reference: referenceOf(reference) };
  const found = await withStore(loadConfig(), (store) => store.retrieveTransaction(of.account, of.reference));
  if (found === undefined)
    throw new CommandFailed(
      `The account ${account} has no transaction with the reference ${quote(reference)}. Both are compared exactly, upper and lower case included.`,
    );
  const fields = { account, ...formatTransaction(found) };
  if (json) {
    printResult(JSON.stringify(fields));
    return;
  }
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  printResult(...Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`));
}
