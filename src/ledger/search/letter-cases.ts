/** Each character of a text with its forms in upper and lower case, where these are one character. */
function formsOf(text: string): string[][] {
  return Array.from(text, (character) => {
    const forms = [character, character.toLowerCase(), character.toUpperCase()];
    return [...new Set(forms)].filter((form) => Array.from(form).length === 1);
  });
}

/** A pattern of SQLite's GLOB that finds a text in upper and lower case. */
export function globOf(text: string): string {
  const part = (forms: string[]) =>
    forms.length > 1 || /[*?[]/.test(forms[0] as string) ? `[${forms.join('')}]` : forms[0];
  return `*${formsOf(text).map(part).join('')}*`;
}

/** A regular expression of PostgreSQL that finds a text in upper and lower case. */
export function regularExpressionOf(text: string): string {
  const part = (forms: string[]) =>
    forms.length > 1 ? `[${forms.join('')}]` : (forms[0] as string).replace(/[^\p{L}\p{N}\s]/u, '\\$&');
  return formsOf(text).map(part).join('');
}
