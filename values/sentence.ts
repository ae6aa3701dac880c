/** A clause, a question or a sentence with exactly one mark at its end. */
export const sentence = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`);
