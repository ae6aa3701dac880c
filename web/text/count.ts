/** The language of numbers: the reader's, as the browser has it. Unit tests run without a browser, in English. */
export const LANGUAGE = 'document' in globalThis ? undefined : 'en';

/** A number with its thousands grouped as the reader's language does, and the digits that amounts have. */
export const number = (value: number): string => value.toLocaleString(LANGUAGE, { numberingSystem: 'latn' });

/** A number of things: "1 change", "1,200 changes". */
export const counted = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
