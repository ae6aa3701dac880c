import { texts } from './language.ts';

/** True if a bank takes money back, or may. */
export const isDispute = (status: string): boolean => /charged?_?back|dispute/.test(status);

/**
 * A status in words, as it is within a sentence. One that the page does not know has the service's name,
 * without underscores.
 */
export const statusWord = (status: string): string =>
  texts.$statuses.get(status) ?? status.replaceAll('_', ' ');

export const statusText = (status: string): string => capital(statusWord(status));

/** A text whose first character is a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
