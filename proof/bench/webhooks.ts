import { type DataSize, TINY } from './rig/data.ts';
import { type Finding, finding } from './rig/report.ts';
import { inRounds, type Rounds } from './rig/rounds.ts';
import { spreadOf } from './rig/statistics.ts';
import { type Delivered, DeliveringService } from './webhooks/delivering-service.ts';

const ENDPOINTS = 1000;
const TINY_ENDPOINTS = 20;
const CHANGES_EACH = 10;
const BACKLOG = 30_000;

/** Deliveries of changes that are recorded meanwhile, and of a backlog. */
export async function webhooks(size: DataSize, scale: Rounds): Promise<Finding[]> {
  const length = size === TINY ? TINY_ENDPOINTS : ENDPOINTS;
  const service = await DeliveringService.start(length);
  try {
    // So that each account has its part of the backlog.
    await service.delivered(BACKLOG, () => service.record(BACKLOG / length));
    const found = await inRounds('webhooks', scale, async () => {
      const recorded = await service.delivered(length * CHANGES_EACH, () => service.record(CHANGES_EACH));
      const waiting = await service.replay(BACKLOG / length);
      const replayed = await service.delivered(waiting);
      return {
        recorded: perSecond(recorded),
        replayed: perSecond(replayed),
        cpuUs: (replayed.cpuMs / replayed.count) * 1000,
      };
    });
    return [
      finding('webhooks: deliveries a second, with their recording', spreadOf(found.recorded), '', 0),
      finding('webhooks: deliveries a second of a backlog', spreadOf(found.replayed), '', 0),
      finding('webhooks: CPU of a delivery, microseconds', spreadOf(found.cpuUs), '', 0),
    ];
  } finally {
    await service.stop();
  }
}

const perSecond = ({ count, tookMs }: Delivered) => (count / tookMs) * 1000;
