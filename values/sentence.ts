/** A clause, question or sentence with exactly one mark at its end. */
export const sentence = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`);
