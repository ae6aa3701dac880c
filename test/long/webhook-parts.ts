import { runWebhookKills, type WebhookKillsResult } from '../crash/webhook-kills.ts';
import { type OutageResult, runOutage } from '../webhooks/run-outage.ts';
import type { PartResult } from './long-run-table.ts';
import { number, type Part, progress } from './part.ts';
import { type StoreName, withDatabase } from './with-database.ts';

export interface WebhookPartSizes {
  seed: number;
  kills: number;
  /** The changes that wait for a receiver that is down. */
  waiting: number;
}

function killsPart({ seed, kills }: WebhookPartSizes): Part {
  const found = ({ kills, acknowledged, wanted, arrived }: WebhookKillsResult): PartResult => ({
    howMuch: `${number(kills)} kills at random moments, ${number(acknowledged)} acknowledged changes, ${number(wanted)} deliveries wanted, ${number(arrived)} attempts arrived`,
    broken: '0',
  });
  return {
    name: 'webhook-kills',
    promise:
      'After kills of the service, and whatever receivers do, every acknowledged change arrives at its webhook endpoints, with one id, signed, and in order where they are ordered',
    share: 0.1,
    run: async ({ endsAtMs }) => {
      const { onProgress } = progress('kills of a service that delivers');
      return found(await runWebhookKills({ kills, seed, endsAtMs, onProgress }));
    },
  };
}

function outagePart(store: StoreName, { waiting }: WebhookPartSizes): Part {
  const found = ({ changes, delivered, refused, rows }: OutageResult): PartResult => ({
    howMuch: `${number(changes)} changes that waited, ${number(delivered)} deliveries to two endpoints, ${number(refused)} attempts refused before, ${number(rows.get('webhook_failures') ?? 0)} rows of failures`,
    broken: '0',
  });
  return {
    name: store === 'SQLite' ? 'outage' : 'outage-postgres',
    promise: `What waits on ${store} for a receiver that is down arrives once when it is up, and the database has no row for each change`,
    share: 0.05,
    run: () => withDatabase(store, async (url) => found(await runOutage(url, waiting))),
  };
}

/** The parts about deliveries. */
export const webhookParts = (sizes: WebhookPartSizes): Part[] => [
  killsPart(sizes),
  outagePart('SQLite', sizes),
  outagePart('PostgreSQL', sizes),
];
