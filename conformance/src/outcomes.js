/** A rule that the deployment breaks. */
export class Broken extends Error {
  /** @param {string} expected @param {string} got @param {string} [curl] */
  constructor(expected, got, curl) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
    this.curl = curl;
  }
}

/** This data, or this deployment, cannot show whether the rule is kept. */
export class NotJudged extends Error {}
