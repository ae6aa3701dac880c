/** Replaces keys by the names of variables, so that no report contains a key. */
export class Secrets {
  /** @type {Map<string, string>} */
  #shown = new Map();

  /**
   * @param {string} secret
   * @param {string} shown what a report has in its place, such as $KEY
   */
  add(secret, shown) {
    if (secret.length >= 4) this.#shown.set(secret, shown);
    return secret;
  }

  /** @param {string} secret */
  show(secret) {
    return this.#shown.get(secret) ?? '$OTHER_KEY';
  }

  /** @param {string} text */
  redact(text) {
    let redacted = text;
    const longestFirst = [...this.#shown].sort(([a], [b]) => b.length - a.length);
    for (const [secret, shown] of longestFirst) redacted = redacted.replaceAll(secret, shown);
    return redacted;
  }
}
