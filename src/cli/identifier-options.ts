import { CommandFailed, UsageError } from '../../values/failure.ts';
import { quote } from '../../values/quote.ts';
import { hasApiKeyForm } from '../keys/api-key.ts';
import { explainIdentifier, isIdentifier } from '../ledger/transaction.ts';

export const accountOption = (what: string) => ['--account <id>', what, parseAccount] as const;

/** The text of an API key is not printed. */
function parseAccount(text: string): string {
  if (hasApiKeyForm(text))
    throw new UsageError(
      'The value of --account is an API key. Write the id of an account, such as "store-1".',
    );
  if (!isIdentifier(text)) throw new UsageError(`The account ${explainIdentifier(text)}.`);
  return text;
}

export const nothingOf = (account: string): CommandFailed =>
  new CommandFailed(
    `There is nothing of the account ${quote(account)}. "transactions accounts" lists the accounts; names are compared exactly.`,
  );
