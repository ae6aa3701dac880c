/** A whole number without leading zeros. */
export const WHOLE_NUMBER = /^(0|[1-9]\d*)$/;

/** True if a text of a query or a path is a whole number in a range. */
export const isWholeNumber =
  (min: number, max: number) =>
  (text: string): boolean =>
    WHOLE_NUMBER.test(text) && Number(text) >= min && Number(text) <= max;

export const isSequenceText = isWholeNumber(0, Number.MAX_SAFE_INTEGER);
