import type { Command } from 'commander';
import { formatTransaction } from '../../ledger/transaction.ts';
import { CommandFailed } from '../../values/failure.ts';
import { loadConfig } from '../load-config.ts';
import { printResult } from '../terminal/output.ts';
import { withStore } from '../with-store.ts';
import { accountOf, referenceOf } from './key-options.ts';

export function showCommand(program: Command): void {
  program
    .command('show')
    .description('print one transaction of an account')
    .argument('<account>', 'the id of the account')
    .argument('<reference>', 'the reference of the transaction')
    .option('--json', 'print a JSON object')
    .action(showTransaction);
}

async function showTransaction(account: string, reference: string, { json }: { json?: true }): Promise<void> {
  const of = { account: accountOf(account), reference: referenceOf(reference) };
  const found = await withStore(loadConfig(), (store) => store.retrieveTransaction(of.account, of.reference));
  if (found === undefined)
    throw new CommandFailed(
      `The account ${account} has no transaction with the reference ${reference}. Both are compared exactly, upper and lower case included.`,
    );
  const fields = { account, ...formatTransaction(found) };
  if (json) {
    printResult(JSON.stringify(fields));
    return;
  }
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  printResult(...Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`));
}
