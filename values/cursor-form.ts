import { CURSOR_MAX_CHARACTERS } from './interface/limits.ts';
export const CURSOR_FORM = `^[A-Za-z0-9_-]{1,${CURSOR_MAX_CHARACTERS}}$`;

const CURSOR = new RegExp(CURSOR_FORM);

export const hasCursorForm = (text: string): boolean => CURSOR.test(text);

export type CursorPosition = readonly (string | number)[];

/** A cursor opens only with the `collection` for which it was sealed, such as "keys of store-1". */
export interface PositionSealer {
  sealPosition(collection: string, position: CursorPosition, expiresAtMs: number): string;
  openPosition(
    collection: string,
    cursor: string,
  ): { position: CursorPosition; expiresAtMs: number } | undefined;
}
