/** @param {string} id @param {string} pattern */
export const isMatch = (id, pattern) =>
  pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
