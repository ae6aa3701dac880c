/**
 * The part that an English word shares with its plural and the forms of its verb, such as `upgrad` for
 * `upgrade` and `upgrading`. Stems are only compared with each other. Short words and names such as
 * `RATE_LIMIT` stay whole.
 */
export const stem = (word: string): string =>
  /^[a-z]{4,}$/.test(word)
    ? word
        .replace(/(?<=ss|x|z|ch|sh|us)es$|(?<![suiy])s$|(?<=[aeiou]y)s$/, '')
        .replace(/(?<=.{3})(?:ed|ing)$/, '')
        .replace(/(?<=[aeiouy])([bdgmnprt])\1$/, '$1')
        .replace(/(?<=.{3})(?:i?e|(?<![aeiou])[iy])$/, '')
    : word;
