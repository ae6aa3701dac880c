import { createHash } from 'node:crypto';
import { Random } from './random.ts';
import { seed } from './seed.ts';

export const TIER = process.env['TEST_TIER'] === 'long' ? 'long' : 'short';

export const inTier = <Size>(sizes: { short: Size; long: Size }): Size => sizes[TIER];

export function someInTier<Item>(items: readonly Item[], short: number): Item[] {
  const left = new Set(items.keys());
  const random = new Random(seed);
  while (TIER === 'short' && left.size > short) left.delete(random.pick([...left]));
  return items.filter((_, index) => left.has(index));
}

export const TURNS = 32;

export function hasTurn(name: string): boolean {
  const turn = createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % TURNS;
  return TIER === 'long' || turn === 0;
}
