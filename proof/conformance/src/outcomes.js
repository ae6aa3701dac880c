export class Broken extends Error {
  /**
   * @param {string} expected @param {string} got @param {string} [curl]
   * @param {string} [cause] a cause that can break other rules too
   */
  constructor(expected, got, curl, cause) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
    this.curl = curl;
    this.cause = cause;
  }
}

/** Thrown if this account or this deployment cannot show whether the rule is kept. */
export class NotJudged extends Error {}
