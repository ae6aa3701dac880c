import { randomBytes } from 'node:crypto';

/** What a commit writes beside each of its changes. */
export interface CommitStamp {
  /** When the changes are recorded, by the clock of the service, in milliseconds since 1970-01-01T00:00:00Z. */
  recordedAtMs: number;
  /** A random number that no other commit has: see `changeId`. */
  nonce: number;
}

/** Stamps the next commit. Each call draws another nonce, also for a commit that is tried again: the first try can have been seen. */
export type StampCommit = () => CommitStamp;

export const commitStamper =
  (now: () => number, drawNonce = randomNonce): StampCommit =>
  () => ({ recordedAtMs: now(), nonce: drawNonce() });

/** A random whole number from 1 to 2^52, which JavaScript and both databases hold exactly. */
export const randomNonce = (): number => Number(randomBytes(8).readBigUInt64LE() >> 12n) + 1;
