/** A number with its thousands grouped. */
export const number = (value: number): string => value.toLocaleString('en');

/** A number of things: "1 change", "1,200 changes". */
export const counted = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
