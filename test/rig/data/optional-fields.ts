import type { Transaction } from '../../../src/ledger/transaction.ts';
import type { Random } from '../run/random.ts';

const DETAILS = ['{"customer":"Ada Lovelace","last4":"4242"}', '{"note":"größer \\"x\\", 😀"}'];

/** The optional fields of some random transactions. `payment` is what some of them are related to, recorded or not. */
export const randomOptionalFields = (
  random: Random,
  payment: string,
): Pick<Transaction, 'relatedTo' | 'details'> => ({
  relatedTo: random.chance(0.3) ? payment : null,
  details: random.chance(0.3) ? random.pick(DETAILS) : null,
});
