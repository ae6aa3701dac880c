/** Returns what all forms of a word have in common, such as `upgrad` for `upgrade` and `upgrading`. */
export const stem = (word: string): string =>
  /^[a-z]{4,}$/.test(word)
    ? word
        .replace(/(?<=ss|x|z|ch|sh|us)es$|(?<![suiy])s$|(?<=[aeiou]y)s$/, '')
        .replace(/(?<=.{3})(?:ed|ing)$/, '')
        .replace(/(?<=[aeiouy])([bdgmnprt])\1$/, '$1')
        .replace(/(?<=.{3})(?:i?e|(?<![aeiou])[iy])$/, '')
    : word;
