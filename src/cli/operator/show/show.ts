import type { Command } from 'commander';
import { NO_FILTER } from '../../../ledger/list/list-filter.ts';
import {
  explainIdentifier,
  isIdentifier,
  isMerchantReference,
  type Transaction,
} from '../../../ledger/transaction.ts';
import type { Store } from '../../../store/store.ts';
import { number } from '../../../values/counted.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { quote } from '../../../values/quote.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonLinesOption } from '../../terminal/options.ts';
import { printNote, printResult, progress } from '../../terminal/output.ts';
import { JSON_LINES } from '../../terminal/table.ts';
import { withStore } from '../../with-store.ts';
import { ofEachAccount } from '../accounts.ts';
import { accountOption } from '../identifier-options.ts';
import { formatHistory, type History, historyOf, linesOf } from './history.ts';

/** An order can have several attempts. */
const MAX_OF_ORDER = 100;

export function showCommand(program: Command): void {
  program
    .command('show')
    .description('print transactions with their changes and deliveries')
    .argument('<reference>', 'the reference or merchantReference of the transactions')
    .option(...accountOption('the account of the transactions; without it, all accounts are searched'))
    .addOption(jsonLinesOption())
    .action(show);
}

interface ShowOptions {
  account?: string;
  json?: true;
}

async function show(reference: string, { account, json }: ShowOptions): Promise<void> {
  if (!isIdentifier(reference) && !isMerchantReference(reference))
    throw new UsageError(`The reference ${explainIdentifier(reference)}.`);
  const found = await withStore(loadConfig(), (store) => findHistories(store, reference, account));
  const nobody = account === undefined ? 'No account has a' : `The account ${account} has no`;
  if (found.length === 0)
    throw new CommandFailed(
      `${nobody} transaction with the reference or merchantReference ${quote(reference)}. Both are compared exactly, upper and lower case included.`,
    );
  if (json) printResult(...JSON_LINES.lines(found.map(formatHistory)));
  else printResult(...found.flatMap((one, at) => [...(at === 0 ? [] : ['']), ...linesOf(one)]));
  for (const [owner, { length }] of Map.groupBy(found, (one) => one.account))
    if (length >= MAX_OF_ORDER)
      printNote(`Of the account ${owner}, these are the newest ${MAX_OF_ORDER} of the order.`);
}

async function findHistories(
  store: Store,
  reference: string,
  account: string | undefined,
): Promise<History[]> {
  if (account !== undefined) return historiesOf(store, account, reference);
  const { show, clear } = progress();
  const found: History[] = [];
  let searched = 0;
  for await (const histories of ofEachAccount(store, (one) => historiesOf(store, one, reference))) {
    found.push(...histories);
    show(`Searched ${number(++searched)} accounts`);
  }
  clear();
  return found;
}

/** What an account has with a reference: first the transaction whose own it is, then those of the order, newest first. */
async function historiesOf(store: Store, account: string, reference: string): Promise<History[]> {
  const own = isIdentifier(reference) ? await store.retrieveTransaction(account, reference) : undefined;
  const filter = { ...NO_FILTER, merchantReference: reference };
  const { transactions } = await store.listTransactions({ account, filter, after: null }, MAX_OF_ORDER);
  const found = new Map<string, Transaction>(
    [...(own === undefined ? [] : [own]), ...transactions].map((one) => [one.reference, one]),
  );
  return Promise.all([...found.values()].map((one) => historyOf(store, account, one)));
}
