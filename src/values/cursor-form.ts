export const CURSOR_MAX_CHARACTERS = 512;
export const CURSOR_FORM = `^[A-Za-z0-9_-]{1,${CURSOR_MAX_CHARACTERS}}$`;

const CURSOR = new RegExp(CURSOR_FORM);

/** Whether a text can be a cursor. */
export const hasCursorForm = (text: string): boolean => CURSOR.test(text);
