import { type TestContext, test } from 'node:test';
import { hasTurn } from './tier.ts';

/** A test of a rare situation: a commit runs one in 24 of them. */
export function turnTest(name: string, run: (t: TestContext) => Promise<void>): void {
  if (hasTurn(name)) test(name, run);
}
