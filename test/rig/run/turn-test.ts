import { type TestContext, test } from 'node:test';
import { hasTurn } from './tier.ts';

/** A test of a rare situation. Each commit runs one such test in 24. */
export function turnTest(name: string, run: (t: TestContext) => Promise<void>): void {
  if (hasTurn(name)) test(name, run);
}
