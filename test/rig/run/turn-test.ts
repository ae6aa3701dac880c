import { type TestContext, test } from 'node:test';
import { isInShare, TURN } from './tier.ts';

/** A test of a rare situation: a commit runs one in 24 of them, others with each seed, the long tier all. */
export function turnTest(name: string, run: (t: TestContext) => Promise<void>): void {
  if (isInShare(name, TURN)) test(name, run);
}
