/** If a text was cut, a part of a key can be left in it. Parts of this length or longer are replaced too. */
const PART_CHARACTERS = 20;

/** Replaces keys by the names of variables, so that no report contains a key. */
export class Secrets {
  /** @type {Map<string, string>} */
  #shown = new Map();

  /** @param {string} secret @param {string} shown what a report has in its place, such as $KEY */
  add(secret, shown) {
    if (secret.length >= 4) this.#shown.set(secret, shown);
    return secret;
  }

  /** @param {string} text */
  redact(text) {
    let redacted = text;
    const longestFirst = [...this.#shown].sort(([a], [b]) => b.length - a.length);
    for (const [secret, shown] of longestFirst) redacted = redacted.replaceAll(secret, shown);
    for (const [secret, shown] of longestFirst) redacted = withoutParts(redacted, secret, shown);
    return redacted;
  }
}

/** @param {string} text @param {string} secret @param {string} shown */
function withoutParts(text, secret, shown) {
  let redacted = text;
  const hasPart = () =>
    redacted.includes(secret.slice(0, PART_CHARACTERS)) || redacted.includes(secret.slice(-PART_CHARACTERS));
  for (let length = secret.length - 1; length >= PART_CHARACTERS && hasPart(); length--)
    redacted = redacted.replaceAll(secret.slice(0, length), shown).replaceAll(secret.slice(-length), shown);
  return redacted;
}
