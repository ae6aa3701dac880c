export const sentence = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`);
