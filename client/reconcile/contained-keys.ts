import { foldedText } from '../../values/folded-text.ts';
import type { Transaction } from '../src/transaction.ts';
import { type KeyField, keyOf } from './compared-fields.ts';

/** Shorter keys are not searched for, because they are too often part of a date or of another number. */
const MIN_CHARACTERS = 4;
/** At most this many pieces are joined into a key. Banks break texts, even keys, at 27 or 35 characters. */
const MAX_PIECES = 10;

const piecesOf = (text: string): string[] => foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Joined, 2026-1-12 and 2026-11-2 have the same name, "2026112". With spaces, their names differ. */
function namesOf(key: string): string[] {
  const pieces = piecesOf(key);
  const joined = pieces.join('');
  return joined.length < MIN_CHARACTERS ? [] : [joined, pieces.join(' ')];
}

/** "Rg. order-10 482 vom 3.10." contains the key "order-10482". A part of a longer word is not a key. */
export class ContainedKeys {
  readonly #keys = new Map<string, string>();

  addTransaction(transaction: Transaction, field: KeyField): void {
    const key = keyOf(transaction, field, { isContained: true }) as string;
    for (const name of namesOf(key)) this.#keys.set(name, key);
    for (const name of namesOf(transaction.reference)) if (!this.#keys.has(name)) this.#keys.set(name, key);
  }

  keyOf(text: string): string {
    const pieces = piecesOf(text);
    let longest = '';
    let separate = '';
    for (let from = 0; from < pieces.length; from++) {
      let joined = '';
      for (let to = from; to < Math.min(from + MAX_PIECES, pieces.length); to++) {
        joined += pieces[to];
        if (joined.length <= longest.length || !this.#keys.has(joined)) continue;
        longest = joined;
        separate = pieces.slice(from, to + 1).join(' ');
      }
    }
    return this.#keys.get(separate) ?? this.#keys.get(longest) ?? text;
  }
}
