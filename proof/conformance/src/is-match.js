/**
 * True if the id of a check equals a pattern, or begins with a pattern that ends with `*`.
 * @param {string} id @param {string} pattern
 */
export const isMatch = (id, pattern) =>
  pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
