import { CommandFailed, UsageError } from '../../values/failure.ts';
import { quote } from '../../values/quote.ts';
import { printNote } from '../../values/terminal/output.ts';
import { isKnownAccount } from '../accounts/account.ts';
import { hasApiKeyForm } from '../keys/api-key.ts';
import { explainIdentifier, isIdentifier } from '../ledger/transaction.ts';
import type { Store } from '../store/store.ts';

export const accountOption = (what: string) => ['--account <id>', what, parseAccount] as const;

function parseAccount(text: string): string {
  if (hasApiKeyForm(text))
    throw new UsageError(
      'The value of --account is an API key. Write the id of an account, such as "store-1".',
    );
  if (!isIdentifier(text)) throw new UsageError(`The account ${explainIdentifier(text)}.`);
  return text;
}

export async function noteUnknown(
  store: Pick<Store, 'listAccounts' | 'listSessions'>,
  account: string,
): Promise<boolean> {
  if (await isKnownAccount(store, account)) return false;
  const sessions = await store.listSessions({ account, person: null }, null, 1);
  if (sessions.length > 0) return false;
  printNote(
    `The account ${quote(account)} has no transactions, keys or sessions: check the name. "transactions accounts" lists the accounts.`,
  );
  return true;
}

export const noteNew = (account: string, undo: string) =>
  printNote(
    `The account ${account} is new: no transaction of it is recorded, and it had no key. If that is a mistake, ${undo}.`,
  );

export const nothingOf = (account: string): CommandFailed =>
  new CommandFailed(
    `There is nothing of the account ${quote(account)}. "transactions accounts" lists the accounts; names are compared exactly.`,
  );
