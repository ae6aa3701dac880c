import { Problem, refuse } from '../problem.ts';
import { readQuery } from '../query.ts';
import type { Answer, Call } from '../service.ts';
import { showTransaction } from '../transaction.ts';

/** `GET /v1/transactions/{reference}`: the reference of another account is as unknown as any other. */
export function retrieveTransaction({ service, account, path, query }: Call): Answer {
  refuse(readQuery(query, []).faults);
  const transaction = service.ledger(account).references.get(path['reference'] ?? '');
  if (transaction === undefined) throw new Problem('not_found', 'There is no such transaction');
  return { status: 200, body: showTransaction(transaction) };
}
