import { type TestContext, test } from 'node:test';
import { hasTurn } from './tier.ts';

export function turnTest(name: string, run: (t: TestContext) => Promise<void>): void {
  if (hasTurn(name)) test(name, run);
}
