import { MAX_FAILURES } from '../../../values/interface/limits.ts';
import type { WebhookProgress } from '../webhook.ts';
import { isReceiverUnavailable } from './attempts.ts';
import {
  type DeliveryState,
  isPaused,
  isSettled,
  type KeptFailure,
  NEVER,
  WINDOW,
  type Work,
} from './delivery-state.ts';

/** How many failures are retried at the same time. The rest of the window is for new changes. */
const MAX_RETRYING = WINDOW / 2;
/** How many changes beyond `acknowledged` can be sent. After a crash, they can be sent again. */
const MAX_AHEAD = 1000;
const MAX_UNSAVED = 10_000;

export function nextCall(state: DeliveryState, nowMs: number): 'disable' | 'load' | 'read' | undefined {
  const { phase, disabling, attempts, receiver, loading, readUpTo, acknowledged } = state;
  if (phase !== 'delivering') return undefined;
  if (disabling !== undefined)
    return disabling.call === 'needed' && attempts.size === 0 && disabling.notBeforeMs <= nowMs
      ? 'disable'
      : undefined;
  if (receiver.nextMs > nowMs) return undefined;
  if (loading !== undefined) return loading === 'needed' ? 'load' : undefined;
  const mayGoAhead = readUpTo - acknowledged <= MAX_AHEAD;
  return !state.reading && state.waiting.length === 0 && hasUnread(state) && mayGoAhead ? 'read' : undefined;
}

const hasUnread = ({ hasNews, headSequence, readUpTo }: DeliveryState) => hasNews || headSequence > readUpTo;

export const isAtHead = ({ waiting, headSequence, readUpTo }: DeliveryState): boolean =>
  waiting.length === 0 && headSequence === readUpTo;

export function nextAttempt(state: DeliveryState, nowMs: number): Work | undefined {
  const { endpoint, phase, disabling, loading, receiver, attempts } = state;
  if (phase !== 'delivering' || disabling !== undefined || loading !== undefined) return undefined;
  if (receiver.nextMs > nowMs) return undefined;
  if (isPaused(state)) return attempts.size === 0 ? nextProbe(state, nowMs) : undefined;
  if (attempts.size >= (endpoint.ordered ? 1 : WINDOW)) return undefined;
  let retrying = 0;
  for (const { change } of attempts.values()) if (change === null) retrying++;
  const due = retrying < MAX_RETRYING ? earliest(freeFailures(state)) : undefined;
  return due !== undefined && due.dueMs <= nowMs
    ? keptWork(due, { isProbe: false })
    : nextFresh(state, nowMs);
}

export function nextTimeMs(state: DeliveryState, nowMs: number): number {
  const { endpoint, disabling, receiver, waiting, failures } = state;
  if (disabling !== undefined) return disabling.notBeforeMs > nowMs ? disabling.notBeforeMs : NEVER;
  if (receiver.nextMs > nowMs) return receiver.nextMs;
  const [next] = endpoint.ordered ? waiting : [];
  const waits = [...freeFailures(state), next && failures.get(next.sequence)];
  return Math.min(...waits.map((kept) => kept?.dueMs ?? NEVER).filter((dueMs) => dueMs > nowMs));
}

export function waitsForReceiver(state: DeliveryState, nowMs: number): boolean {
  const { endpoint, receiver, waiting, failures, attempts } = state;
  if (isPaused(state) || receiver.askedUntilMs > nowMs) return true;
  const sequences = [...attempts.keys(), waiting[0]?.sequence ?? Number.NaN];
  return endpoint.ordered && sequences.some((sequence) => failures.has(sequence));
}

export function unsavedProgress(state: DeliveryState): WebhookProgress | undefined {
  const { acknowledged, receiver, stored, unsaved } = state;
  const { failingSinceMs, isQuick } = receiver;
  const isReceiverStored = failingSinceMs === stored.failingSinceMs && isQuick === stored.isQuick;
  if (isReceiverStored && acknowledged === stored.acknowledged && unsaved.size === 0) return undefined;
  // Failures after `stored.acknowledged` are written again, because a database crash may have undone a write.
  const failed = [...state.failures.values()].filter(
    ({ failure: { sequence } }) =>
      unsaved.has(sequence) || (sequence > stored.acknowledged && sequence <= acknowledged),
  );
  return {
    after: stored.acknowledged,
    acknowledgedSequence: acknowledged,
    nonce: state.nonce,
    failingSinceMs,
    isQuick,
    failed: failed.map(({ failure }) => failure),
    delivered: [...unsaved].filter(([, failure]) => failure === null).map(([sequence]) => sequence),
  };
}

function nextFresh(state: DeliveryState, nowMs: number): Work | undefined {
  const { endpoint, acknowledged, waiting, failures, stored, attempts } = state;
  const [change] = waiting;
  if (change === undefined || attempts.has(change.sequence)) return undefined;
  const { sequence } = change;
  // At an ordered endpoint, a change that failed stays in `waiting`, and is retried from there.
  const kept = failures.get(sequence);
  if (endpoint.ordered && kept !== undefined && kept.dueMs > nowMs) return undefined;
  if (failures.size >= MAX_FAILURES && attempts.size > 0) return undefined;
  if (sequence - acknowledged > MAX_AHEAD) return undefined;
  if (acknowledged - stored.acknowledged > MAX_UNSAVED) return undefined;
  return { sequence, change, failure: kept?.failure, isProbe: false };
}

/** Unless `ordered`, probes send different changes: a working receiver may always refuse a certain change. */
function nextProbe(state: DeliveryState, nowMs: number): Work | undefined {
  const { endpoint, waiting, failures, receiver } = state;
  const probes = receiver.probes ?? 0;
  const round = Math.floor(probes / 2);
  const change = waiting[endpoint.ordered ? 0 : round % Math.max(1, waiting.length)];
  const isTurnOfKept = probes % 2 === 1 && !endpoint.ordered;
  if (change === undefined || isTurnOfKept) {
    // A refused change is no probe before it is due, because even a working receiver may refuse it again.
    const kept = freeFailures(state).filter(
      ({ failure, dueMs }) =>
        dueMs < NEVER && (isReceiverUnavailable(failure.responseStatus) || dueMs <= nowMs),
    );
    const one = kept[round % Math.max(1, kept.length)];
    if (one !== undefined) return keptWork(one, { isProbe: true });
  }
  if (change === undefined) return undefined;
  const { sequence } = change;
  return { sequence, change, failure: failures.get(sequence)?.failure, isProbe: true };
}

const keptWork = ({ failure }: KeptFailure, { isProbe }: { isProbe: boolean }): Work => ({
  sequence: failure.sequence,
  change: null,
  failure,
  isProbe,
});

const freeFailures = (state: DeliveryState): KeptFailure[] =>
  [...state.failures.values()].filter(
    ({ failure: { sequence } }) => !state.attempts.has(sequence) && isSettled(state, sequence),
  );

function earliest(failures: readonly KeptFailure[]): KeptFailure | undefined {
  let first = failures[0];
  for (const one of failures) if (one.dueMs < (first as KeptFailure).dueMs) first = one;
  return first;
}
