import { foldedText } from '../../values/folded-text.ts';
import type { Transaction } from '../src/transaction.ts';
import { type KeyField, keyOf } from './compared-fields.ts';

/** Shorter keys are not searched for, because they are too often part of a date or of another number. */
const MIN_CHARACTERS = 4;
/** Banks break a purpose into lines of 27 or 35 characters, so a key can have extra pieces there. */
const MAX_PIECES = 10;

/** The groups of letters and digits in a text. */
const piecesOf = (text: string): string[] => foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

const joinedText = (text: string): string => piecesOf(text).join('');

/**
 * Finds a transaction's key inside a longer text, such as a bank's purpose: "ORDER 10482" and "Rg. order-10
 * 482 vom 3.10." have the key "order-10482". A part of a longer number or word is no key. Memory grows with
 * the number of keys.
 */
export class ContainedKeys {
  readonly #keys = new Map<string, string>();

  /**
   * Adds the key and the reference of a transaction, because a purpose can contain either. A text that is the
   * key of one transaction and the reference of another is treated as the key.
   */
  addTransaction(transaction: Transaction, field: KeyField): void {
    const key = keyOf(transaction, field, { isContained: true }) as string;
    this.#add(joinedText(key), key);
    const reference = joinedText(transaction.reference);
    if (!this.#keys.has(reference)) this.#add(reference, key);
  }

  #add(joined: string, key: string): void {
    if (joined.length >= MIN_CHARACTERS) this.#keys.set(joined, key);
  }

  keyOf(text: string): string {
    const pieces = piecesOf(text);
    let longest = '';
    for (let from = 0; from < pieces.length; from++) {
      let joined = '';
      for (const piece of pieces.slice(from, from + MAX_PIECES)) {
        joined += piece;
        if (joined.length > longest.length && this.#keys.has(joined)) longest = joined;
      }
    }
    return this.#keys.get(longest) ?? text;
  }
}
