import type { Store } from '../../src/store/store.ts';
import type { DeliveryState } from '../../src/webhooks/delivery/delivery-state.ts';
import { TRANSITIONS } from '../../src/webhooks/delivery/transitions.ts';
import type { Send } from '../../src/webhooks/send.ts';
import type { WebhookProgress } from '../../src/webhooks/webhook.ts';
import { storeWith } from '../rig/store/store-with.ts';
import type { DeliveryTampering } from './delivery-simulation.ts';

type Transition = (state: DeliveryState, ...event: unknown[]) => unknown;

/** Replaces a transition until it is undone. */
function transition(
  name: keyof typeof TRANSITIONS,
  make: (original: Transition) => Transition,
): DeliveryTampering {
  const transitions = TRANSITIONS as unknown as Record<string, Transition>;
  return {
    tamperEngine: () => {
      const original = transitions[name] as Transition;
      transitions[name] = make(original);
      return () => {
        transitions[name] = original;
      };
    },
  };
}

const progress = (change: (progress: WebhookProgress) => WebhookProgress): DeliveryTampering => ({
  tamper: (store) =>
    storeWith(store, {
      storeProgress: (account, id, version, stored) =>
        store.storeProgress(account, id, version, change(stored)),
    }),
});

const endpoints = (
  change: (
    listed: Awaited<ReturnType<Store['listDeliverable']>>,
  ) => Awaited<ReturnType<Store['listDeliverable']>>,
): DeliveryTampering => ({
  tamper: (store) =>
    storeWith(store, { listDeliverable: async (part) => change(await store.listDeliverable(part)) }),
});

const sending = (tamperSend: (send: Send) => Send): DeliveryTampering => ({ tamperSend });

/** Each makes deliveries wrong in one way. */
export const DELIVERY_MUTANTS: Record<string, DeliveryTampering> = {
  'a change in flight is acknowledged with a later one': transition(
    'answered',
    (answered) =>
      (state, ...event) => {
        const effects = answered(state, ...event);
        state.acknowledged = state.readUpTo - state.waiting.length;
        state.settled.clear();
        return effects;
      },
  ),
  'a failure is forgotten': transition('answered', (answered) => (state, ...event) => {
    const effects = answered(state, ...event);
    state.failures.clear();
    state.unsaved.clear();
    return effects;
  }),
  'a failure is acknowledged before it is stored': progress((stored) => ({ ...stored, failed: [] })),
  'progress that had no answer is forgotten': transition('notStored', (notStored) => (state) => {
    notStored(state);
    state.unsaved.clear();
  }),
  'the acknowledged sequence is one too large': progress((stored) => ({
    ...stored,
    acknowledgedSequence: stored.acknowledgedSequence + 1,
  })),
  'a delivered failure stays': progress((stored) => ({ ...stored, delivered: [] })),
  'a failure that is not delivered is removed': progress((stored) => ({
    ...stored,
    delivered: [...stored.delivered, ...stored.failed.map(({ sequence }) => sequence)],
  })),
  'an error counts as delivered': sending((send) => async (attempt) => {
    const result = await send(attempt);
    return 'error' in result ? { status: 200, retryAfterMs: null } : result;
  }),
  'a redirect counts as delivered': sending((send) => async (attempt) => {
    const result = await send(attempt);
    return 'status' in result && result.status === 302 ? { ...result, status: 200 } : result;
  }),
  'each attempt has another id': sending((send) => {
    let attempts = 0;
    return (attempt) =>
      send({ ...attempt, headers: { ...attempt.headers, 'webhook-id': `msg_${++attempts}` } });
  }),
  'an ordered endpoint is delivered to as any other': endpoints((listed) =>
    listed.map((endpoint) => ({ ...endpoint, ordered: false })),
  ),
  'the types of an endpoint are ignored': endpoints((listed) =>
    listed.map((endpoint) => ({ ...endpoint, types: null })),
  ),
  'an endpoint is not delivered to': endpoints((listed) => listed.filter(({ id }) => id !== 'we_2')),
  'failures from before a start are not read': endpoints((listed) =>
    listed.map((endpoint) => ({ ...endpoint, hasFailures: false })),
  ),
  'every instance has the lease': {
    tamper: (store) =>
      storeWith(store, {
        leaseWebhooks: async (request) => ({ ...(await store.leaseWebhooks(request)), isHeld: true }),
      }),
  },
  'the lease is given back before the attempts have ended': {
    tamper: (store) =>
      storeWith(store, {
        leaseWebhooks: async (request) => {
          const lease = await store.leaseWebhooks(request);
          await store.leaseWebhooks({ ...request, leaseMs: 0 });
          return lease;
        },
      }),
  },
  'a change of an endpoint is not noticed': transition('listed', () => () => {}),
  'a replay is not noticed': endpoints((listed) =>
    listed.map((endpoint) => ({ ...endpoint, replayVersion: 0, acknowledgedSequence: 1e9 })),
  ),
  'an endpoint that is paused is never tried': transition('answered', (answered) => (state, ...event) => {
    const effects = answered(state, ...event);
    if (state.receiver.probes !== null)
      Object.defineProperty(state.receiver, 'nextMs', { get: () => Number.POSITIVE_INFINITY, set: () => {} });
    return effects;
  }),
  'a change that was put back is lost': transition('undone', (undone) => (state, ...event) => {
    undone(state, ...event);
    state.waiting.shift();
  }),
  'changes of other processes are not noticed': {
    tamper: (store) =>
      storeWith(store, {
        listMovedAccounts: async (mark) => ({ ...(await store.listMovedAccounts(mark)), accounts: [] }),
      }),
    isWakeUpLost: true,
  },
  'a killed instance keeps its lease': {
    tamper: (store) =>
      storeWith(store, {
        leaseWebhooks: (request) =>
          store.leaseWebhooks({ ...request, leaseMs: request.leaseMs === 0 ? 0 : 1e9 }),
      }),
  },
};
