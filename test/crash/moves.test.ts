import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runMoves } from './run-moves.ts';

const MOVES = inTier({ short: 2, long: 20 });
const PER_SECOND = inTier({ short: 50, long: 500 });

test(`moves between SQLite and PostgreSQL under load (${MOVES}), with kills of copy, service and database: the target has all that was acknowledged`, async (t) => {
  const { moves, kills, acknowledged, unavailable, pausedMs } = await runMoves({
    moves: MOVES,
    perSecond: PER_SECOND,
    seed,
  });
  t.diagnostic(
    `${moves} moves, killed ${JSON.stringify(kills)}, ${acknowledged} acknowledged, ${unavailable} answered 503; paused for ${pausedMs.map((ms) => Math.round(ms)).join(', ')} ms`,
  );
  assert.equal(moves, MOVES);
  assert.ok(acknowledged > MOVES);
});
