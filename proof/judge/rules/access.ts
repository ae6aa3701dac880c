import type { Ended, Granted, Used } from '../history.ts';
import type { Life } from '../life.ts';
import type { Rule } from './rule.ts';

/** A revoked key or an ended session may still be accepted for this long. */
const REFUSED_MS = 1000;
/** The judge and an instance may note the same event with times that are this far apart. */
const CLOCK_MS = 2000;

const isRefused = ({ status }: Used): boolean => status === 401;

const endOf = (life: Life, id: string): Ended | undefined =>
  life.of('end').find(({ ids }) => ids.includes(id));

function canHaveEnded(life: Life, granted: Granted, use: Used): boolean {
  return life
    .of('end')
    .some(
      ({ ids, person, began, ended }) =>
        began < use.ended &&
        (ids.includes(granted.id) || (person !== null && person === granted.person && granted.began < ended)),
    );
}

const canHaveExpired = ({ expiresAt }: Granted, { instanceMs, endedMs, beganMs }: Used): boolean =>
  expiresAt !== null && instanceMs + (endedMs - beganMs) + CLOCK_MS > Date.parse(expiresAt);

export const ACCESS_RULES: readonly Rule[] = [
  {
    says: 'After a key or a session is ended, it is refused within one second everywhere: one is accepted later',
    *broken(life) {
      for (const use of life.of('use')) {
        const end = endOf(life, use.id);
        if (end !== undefined && !isRefused(use) && use.beganMs > end.endedMs + REFUSED_MS)
          yield { use, end };
      }
    },
  },
  {
    says: 'A key shows nothing that was recorded over a second after its end, even to a request in flight',
    *broken(life) {
      for (const use of life.of('use')) {
        const end = endOf(life, use.id);
        if (end === undefined) continue;
        const isLater = (reference: string) =>
          Math.min(...(life.versions.get(reference) ?? []).map(({ begunMs }) => begunMs)) >
          end.endedMs + REFUSED_MS;
        const seen = use.seen.filter(isLater);
        if (seen.length > 0) yield { use: { ...use, seen }, end };
      }
    },
  },
  {
    says: 'A key or a session is accepted until it ends: one is refused earlier',
    *broken(life) {
      const grants = new Map(life.of('grant').map((granted) => [granted.id, granted]));
      for (const use of life.of('use')) {
        const granted = grants.get(use.id);
        if (granted === undefined || granted.ended > use.began || !isRefused(use)) continue;
        if (!canHaveEnded(life, granted, use) && !canHaveExpired(granted, use)) yield { use, granted };
      }
    },
  },
  {
    says: 'A code works once: of several exchanges at the same time, one succeeds',
    *broken(life) {
      const opened = life.of('open').filter(({ status }) => status === 201);
      for (const [id, events] of Map.groupBy(opened, (event) => event.id))
        if (events.length > 1) yield { id, events };
    },
  },
];
