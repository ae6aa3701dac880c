import type { Rounds } from './list-requests.ts';
import { type DataSize, TINY } from './rig/data.ts';
import { type Finding, note } from './rig/report.ts';
import { type Spread, shown, spreadOf } from './rig/statistics.ts';
import { type Delivered, DeliveringService } from './webhooks/delivering-service.ts';

const ENDPOINTS = 1000;
const TINY_ENDPOINTS = 20;
const CHANGES_EACH = 10;
const BACKLOG = 30_000;

/** Deliveries of changes that are recorded meanwhile, and of a backlog. */
export async function webhooks(size: DataSize, { rounds }: Rounds): Promise<Finding[]> {
  const service = await DeliveringService.start(size === TINY ? TINY_ENDPOINTS : ENDPOINTS);
  const recorded: Delivered[] = [];
  const replayed: Delivered[] = [];
  const { length } = service.accounts;
  try {
    // So that each account has its part of the backlog.
    await service.delivered(BACKLOG, () => service.record(BACKLOG / length));
    for (let round = 1; round <= rounds; round++) {
      note(`webhooks: round ${round} of ${rounds}`);
      recorded.push(await service.delivered(length * CHANGES_EACH, () => service.record(CHANGES_EACH)));
      const waiting = await service.replay(BACKLOG / length);
      replayed.push(await service.delivered(waiting));
    }
  } finally {
    await service.stop();
  }
  const perSecond = ({ count, tookMs }: Delivered) => (count / tookMs) * 1000;
  const cpuUs = ({ count, cpuMs }: Delivered) => (cpuMs / count) * 1000;
  const line = (name: string, spread: Spread): Finding => ({
    name: `webhooks: ${name}`,
    figure: shown(spread, 0),
    goal: '',
  });
  return [
    line('deliveries a second, with their recording', spreadOf(recorded.map(perSecond))),
    line('deliveries a second of a backlog', spreadOf(replayed.map(perSecond))),
    line('CPU of a delivery, microseconds', spreadOf(replayed.map(cpuUs))),
  ];
}
