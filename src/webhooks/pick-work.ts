import { type DeliveryState, MAX_FAILURES, WINDOW, type Work } from './delivery-state.ts';
import type { WebhookFailure } from './webhook.ts';

/** Attempts in flight for kept failures. The rest of the window is for fresh changes. */
const MAX_RETRYING = WINDOW / 2;
/** So far a slow attempt lets later changes go ahead of the acknowledged sequence. They are delivered again after a crash. */
const MAX_AHEAD = 1000;
/** The same while the database takes no writes. */
const MAX_UNSAVED = 10_000;

/** What is attempted next; undefined if nothing can be now. */
export function pickWork(state: DeliveryState): Work | undefined {
  const { endpoint, receiver, failures, working } = state;
  if (receiver.waitMs > 0) return undefined;
  if (receiver.isHeldBack) return working.size === 0 ? pickProbe(state) : undefined;
  if (working.size >= (endpoint.ordered ? 1 : WINDOW)) return undefined;
  let retrying = 0;
  for (const { change } of working.values()) if (change === null) retrying++;
  const due = retrying < MAX_RETRYING ? failures.due(isApart(state)) : undefined;
  return due === undefined ? pickFresh(state) : keptWork(due, false);
}

/** Whether more changes are read now. Those of unwanted types are settled at once, and go no further ahead than others. */
export const canRead = ({ fresh, place }: DeliveryState): boolean =>
  fresh.isReadable && fresh.readUpTo - place.acknowledged <= MAX_AHEAD;

/** Until something can be attempted that only has to wait for its time; Infinity if nothing. */
export function waitForWork(state: DeliveryState): number {
  const { endpoint, receiver, failures, fresh } = state;
  if (receiver.waitMs > 0) return receiver.waitMs;
  const next = endpoint.ordered ? fresh.at(0) : undefined;
  const waits = [
    failures.nextWaitMs(isApart(state)),
    next === undefined ? Number.POSITIVE_INFINITY : failures.waitMs(next.sequence),
  ];
  return Math.min(...waits.filter((waitMs) => waitMs > 0));
}

/** Whether the next change waits because of the receiver: it fails, asked for a pause, or failed the next change of an ordered endpoint. */
export function waitsForReceiver({ endpoint, receiver, fresh, failures, working }: DeliveryState): boolean {
  if (receiver.isHeldBack || receiver.isPaused) return true;
  if (!endpoint.ordered) return false;
  const sequences = [...working.keys(), fresh.at(0)?.sequence ?? Number.NaN];
  return sequences.some((sequence) => failures.get(sequence) !== undefined);
}

function pickFresh({ endpoint, place, fresh, failures, progress, working }: DeliveryState) {
  const change = fresh.at(0);
  if (change === undefined) return undefined;
  const { sequence } = change;
  const failure = failures.get(sequence);
  if (endpoint.ordered && failure !== undefined && failures.waitMs(sequence) > 0) return undefined;
  if (failures.count >= MAX_FAILURES && working.size > 0) return undefined;
  if (sequence - place.acknowledged > MAX_AHEAD) return undefined;
  if (place.acknowledged - progress.acknowledged > MAX_UNSAVED) return undefined;
  return { sequence, change, failure, isProbe: false };
}

/** Each time another one, because a receiver that works can fail with one of them every time. */
function pickProbe(state: DeliveryState): Work | undefined {
  const { endpoint, fresh, failures, receiver } = state;
  const round = Math.floor(receiver.probes / 2);
  const change = fresh.at(endpoint.ordered ? 0 : round % Math.max(1, fresh.size));
  const isTurnOfKept = receiver.probes % 2 === 1 && !endpoint.ordered;
  if (change === undefined || isTurnOfKept) {
    const kept = failures.probes(isApart(state));
    const failure = kept[round % Math.max(1, kept.length)];
    if (failure !== undefined) return keptWork(failure, true);
  }
  if (change === undefined) return undefined;
  const { sequence } = change;
  return { sequence, change, failure: failures.get(sequence), isProbe: true };
}

const keptWork = (failure: WebhookFailure, isProbe: boolean): Work => ({
  sequence: failure.sequence,
  change: null,
  failure,
  isProbe,
});

/** Whether a failure can be attempted apart from the changes that come in their order. */
const isApart =
  ({ endpoint, place, working }: DeliveryState) =>
  (sequence: number): boolean =>
    !working.has(sequence) && (!endpoint.ordered || place.isSettled(sequence));
