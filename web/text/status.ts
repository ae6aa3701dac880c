import { texts } from './language.ts';

/** In these statuses, a bank takes money back, or may take it back. */
export const isDispute = (status: string): boolean => /charged?_?back|dispute/.test(status);

export const statusWord = (status: string): string =>
  texts.$statuses.get(status) ?? status.replaceAll('_', ' ');

export const statusText = (status: string): string => capital(statusWord(status));

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
