import type { Delivered, EventOf } from '../history.ts';
import type { Life } from '../life.ts';
import type { Rule } from './rule.ts';

const endpointsOf = (life: Life): EventOf<'endpoint'>[] => {
  const { parent } = life;
  const inherited =
    parent === undefined ? [] : endpointsOf(parent.life).filter(({ ended }) => ended < parent.backedUp);
  return [...inherited, ...life.of('endpoint')];
};

const deliveriesOf = (life: Life): Delivered[] => [
  ...(life.parent === undefined ? [] : deliveriesOf(life.parent.life)),
  ...life.of('delivery'),
];

const isWanted = ({ types }: EventOf<'endpoint'>, type: string) => types === null || types.includes(type);

/** The service reads a change from its database at most this long before it sends the change. */
const READ_BEFORE_MS = 3000;

export const WEBHOOK_RULES: readonly Rule[] = [
  {
    says: 'A delivery has a change as the feed shows it, the id of the change as webhook-id, and a signature',
    *broken(life) {
      for (const delivery of life.of('delivery')) {
        const { change, webhookId, isSigned } = delivery;
        if (!isSigned || webhookId !== change.id) yield delivery;
        const during = { began: life.positionAt(delivery.beganMs - READ_BEFORE_MS), ended: delivery.ended };
        // After a restore, the feed may lack a change that was delivered.
        const isInFeed = life.idOf(change.sequence) === change.id;
        if (isInFeed && !life.isChange(change, change.sequence, during)) yield delivery;
      }
    },
  },
  {
    says: 'Every change is delivered at least once, unless its type is not wanted: one has not arrived',
    *broken(life) {
      for (const { endpoint: id, upTo, account } of life.of('arrived')) {
        const endpoint = endpointsOf(life).find((one) => one.id === id);
        if (endpoint === undefined) continue;
        const accepted = deliveriesOf(life).filter((one) => one.endpoint === id && one.isAccepted);
        const arrived = new Set(accepted.map(({ webhookId }) => webhookId));
        for (const change of life.feed.slice(endpoint.after, upTo))
          if (isWanted(endpoint, change.type) && !arrived.has(change.id)) yield { account, endpoint, change };
      }
    },
  },
  {
    says: 'An ordered endpoint gets a change only after the one before it has succeeded',
    *broken(life) {
      for (const endpoint of endpointsOf(life)) {
        if (!endpoint.isOrdered) continue;
        const all = deliveriesOf(life).filter((one) => one.endpoint === endpoint.id);
        const accepted = new Set<string>();
        for (const delivery of all.sort((a, b) => a.ended - b.ended)) {
          const { sequence, id } = delivery.change;
          const missing = life.feed
            .slice(endpoint.after, sequence - 1)
            .find((before) => isWanted(endpoint, before.type) && !accepted.has(before.id));
          if (life.idOf(sequence) === id && missing !== undefined) yield { delivery, missing };
          if (delivery.isAccepted) accepted.add(id);
        }
      }
    },
  },
];
