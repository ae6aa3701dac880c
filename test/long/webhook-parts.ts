import { runWebhookKills } from '../crash/webhook-kills.ts';
import { runOutage } from '../webhooks/run-outage.ts';
import { type Part, progress, trialsFor } from './part.ts';
import { type StoreName, withDatabase } from './with-database.ts';

const killsPart: Part = {
  name: 'webhook-kills',
  promise:
    'After kills of the service, and whatever receivers do, every acknowledged change arrives at its webhook endpoints, with one id, signed, and in order where they are ordered',
  share: 0.1,
  goal: trialsFor(100),
  run: async ({ first, count, endsAtMs }) => {
    const { onProgress } = progress('kills of a service that delivers');
    const result = await runWebhookKills({ kills: count, seed: first, endsAtMs, onProgress });
    const { kills, acknowledged, wanted, arrived } = result;
    return {
      counts: {
        'kills at random moments': kills,
        'acknowledged changes': acknowledged,
        'deliveries wanted': wanted,
        'attempts arrived': arrived,
      },
      seeds: kills,
      figures: '',
      broken: '0',
    };
  },
};

/** The changes that wait at once if the time decides how often. */
const WAITING = 10_000;

const outagePart = (store: StoreName): Part => ({
  name: store === 'SQLite' ? 'outage' : 'outage-postgres',
  promise: `What waits on ${store} for a receiver that is down arrives once when it is up, and the database has no row for each change`,
  share: 0.05,
  // No trials: with so many changes, a row for each would show.
  goal: 40_000,
  async run({ count, endsAtMs }) {
    const counts = {
      'changes that waited': 0,
      'deliveries to two endpoints': 0,
      'attempts refused before': 0,
    };
    let failures = 0;
    do {
      const waiting = Number.isFinite(count) ? count : WAITING;
      const result = await withDatabase(store, (url) => runOutage(url, waiting));
      counts['changes that waited'] += result.changes;
      counts['deliveries to two endpoints'] += result.delivered;
      counts['attempts refused before'] += result.refused;
      failures = Math.max(failures, result.rows.get('webhook_failures') ?? 0);
    } while (counts['changes that waited'] < count && performance.now() < endsAtMs);
    return { counts, seeds: 0, figures: `${failures} rows of failures at most`, broken: '0' };
  },
});

/** The parts about deliveries. */
export const webhookParts = (): Part[] => [killsPart, outagePart('SQLite'), outagePart('PostgreSQL')];
