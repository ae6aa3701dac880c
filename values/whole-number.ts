export const WHOLE_NUMBER = /^(0|[1-9]\d*)$/;

export const isWholeNumber =
  (min: number, max: number) =>
  (text: string): boolean =>
    WHOLE_NUMBER.test(text) && Number(text) >= min && Number(text) <= max;

export const isSequenceText = isWholeNumber(0, Number.MAX_SAFE_INTEGER);
