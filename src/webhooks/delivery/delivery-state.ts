import assert from 'node:assert/strict';
import { SparseMap } from '../../../values/sparse-map.ts';
import type { Change } from '../../ledger/changes/change.ts';
import { changeType } from '../../ledger/changes/change.ts';
import type { DeliverableEndpoint, DisabledReason, WebhookFailure } from '../webhook.ts';

/** The most attempts in flight for an endpoint. An ordered endpoint has at most one attempt in flight. */
export const WINDOW = 8;

export const NEVER = Number.POSITIVE_INFINITY;
export const AT_ONCE = Number.NEGATIVE_INFINITY;

export interface Work {
  sequence: number;
  /** Null if a failure is retried. Then the change is read just before the attempt. */
  change: Change | null;
  failure: WebhookFailure | undefined;
  isProbe: boolean;
}

export interface KeptFailure {
  failure: WebhookFailure;
  /** By the monotonic clock, so that setting the wall clock back does not delay the attempt. */
  dueMs: number;
  /** The stored time of the next attempt. Undefined if that time is not known. */
  storedNextMs: number | null | undefined;
}

interface Receiver {
  /** The first failure since the last success, by the wall clock. Null if the last attempt succeeded. */
  failingSinceMs: number | null;
  /** When this process saw the first failure since the last success, by the monotonic clock. */
  seenFailingMs: number | null;
  failuresInRow: number;
  isQuick: boolean | null;
  /** How many probes have failed in this pause; null if the endpoint is not paused. */
  probes: number | null;
  /** No attempt begins before this time, by the monotonic clock. */
  nextMs: number;
  /** The end of the pause that the receiver requested with Retry-After. */
  askedUntilMs: number;
}

export interface Disabling {
  reason: Exclude<DisabledReason, 'requested'>;
  /** After `done`, attempts wait until the endpoint is read in its new version. */
  call: 'needed' | 'running' | 'done';
  /** A time of the monotonic clock. */
  notBeforeMs: number;
  /** True if a call to disable the endpoint failed. The call may have disabled the endpoint nevertheless. */
  isUnsure: boolean;
}

/** A change is settled when it is delivered, unwanted, or stored as a failure. */
export interface DeliveryState {
  endpoint: DeliverableEndpoint;
  /** `ending`: no attempt begins, but progress is still stored. `over`: nothing more is stored. */
  phase: 'delivering' | 'ending' | 'over';

  /** Every change up to this number is settled. */
  acknowledged: number;
  /** The nonce of change `acknowledged`; null if another instance settled the change. */
  nonce: number | null;
  readonly settled: SparseMap<number, number>;
  waiting: Change[];
  readonly attempts: SparseMap<number, Work>;
  readUpTo: number;
  /** The nonce of change `readUpTo`; null if that change was not read. */
  readNonce: number | null;
  headSequence: number;
  hasNews: boolean;
  reading: boolean;
  /** All changes in `waiting` were read at or after this time of the monotonic clock. */
  readMs: number;

  readonly failures: SparseMap<number, KeptFailure>;
  failuresVersion: number;
  /** Set if the failures must be read, because the owner or another instance may have changed them. */
  loading: 'needed' | 'running' | undefined;

  receiver: Receiver;
  disabling: Disabling | undefined;

  stored: { acknowledged: number; failingSinceMs: number | null; isQuick: boolean | null };
  /** Failures to be stored. Null removes the stored failure, because the change was delivered. */
  readonly unsaved: SparseMap<number, WebhookFailure | null>;
  storing: boolean;
  failedWrites: number;
}

export function beginDelivery(endpoint: DeliverableEndpoint): DeliveryState {
  const { acknowledgedSequence: acknowledged, failingSinceMs, isQuick, hasFailures, version } = endpoint;
  return {
    endpoint,
    phase: 'delivering',
    acknowledged,
    nonce: null,
    settled: new SparseMap(),
    waiting: [],
    attempts: new SparseMap(),
    readUpTo: acknowledged,
    readNonce: null,
    headSequence: acknowledged,
    hasNews: true,
    reading: false,
    readMs: AT_ONCE,
    failures: new SparseMap(),
    failuresVersion: version,
    loading: hasFailures ? 'needed' : undefined,
    receiver: {
      failingSinceMs,
      seenFailingMs: null,
      failuresInRow: 0,
      isQuick,
      probes: null,
      nextMs: AT_ONCE,
      askedUntilMs: AT_ONCE,
    },
    disabling: undefined,
    stored: { acknowledged, failingSinceMs, isQuick },
    unsaved: new SparseMap(),
    storing: false,
    failedWrites: 0,
  };
}

export const isPaused = ({ receiver }: DeliveryState): boolean => receiver.probes !== null;

export const isSettled = ({ acknowledged, settled }: DeliveryState, sequence: number): boolean =>
  sequence <= acknowledged || settled.has(sequence);

/** A failed change of an unordered endpoint is retried from `failures`, so it does not stay in `waiting`. */
function isWanted({ endpoint: { types, ordered }, failures }: DeliveryState, change: Change): boolean {
  const isKept = !ordered && failures.has(change.sequence);
  return !isKept && (types === null || types.includes(changeType(change)));
}

export function settle(state: DeliveryState, { sequence, nonce }: Change): void {
  if (!isSettled(state, sequence)) state.settled.set(sequence, nonce);
  acknowledge(state);
}

function acknowledge(state: DeliveryState): void {
  for (;;) {
    const nonce = state.settled.get(state.acknowledged + 1);
    if (nonce === undefined) return;
    state.settled.delete(++state.acknowledged);
    state.nonce = nonce;
  }
}

/** Moves `state` up to the position in the database, which may be ahead if another instance delivered. */
export function advance(state: DeliveryState, acknowledged: number): void {
  state.stored.acknowledged = Math.max(state.stored.acknowledged, acknowledged);
  if (acknowledged > state.readUpTo) Object.assign(state, { readUpTo: acknowledged, readNonce: null });
  state.headSequence = Math.max(state.headSequence, acknowledged);
  if (acknowledged > state.acknowledged) {
    state.acknowledged = acknowledged;
    state.nonce = state.settled.get(acknowledged) ?? null;
    state.waiting = state.waiting.filter(({ sequence }) => sequence > acknowledged);
    for (const sequence of state.settled.keys()) if (sequence <= acknowledged) state.settled.delete(sequence);
    acknowledge(state);
  }
  settleUnwanted(state);
}

export function settleUnwanted(state: DeliveryState): void {
  const unwanted = state.waiting.filter((change) => !isWanted(state, change));
  if (unwanted.length === 0) return;
  state.waiting = state.waiting.filter((change) => !unwanted.includes(change));
  for (const change of unwanted) settle(state, change);
}

export function putBack(state: DeliveryState, { change }: Work): void {
  if (change === null || change.sequence <= state.acknowledged) return;
  const index = state.waiting.findIndex(({ sequence }) => sequence > change.sequence);
  state.waiting.splice(index === -1 ? state.waiting.length : index, 0, change);
  state.readMs = AT_ONCE;
  settleUnwanted(state);
}

export function checkDelivery(state: DeliveryState): void {
  const { acknowledged, settled, waiting, attempts, readUpTo, headSequence, stored } = state;
  assert.ok(stored.acknowledged <= acknowledged, 'more is stored than acknowledged');
  assert.ok(acknowledged <= readUpTo && readUpTo <= headSequence, 'more is acknowledged than read');
  assert.ok(!settled.has(acknowledged + 1), 'a settled change is not acknowledged');
  let fresh = 0;
  for (const { change, sequence } of attempts.values())
    if (change !== null && sequence > acknowledged) fresh++;
  const known = settled.size + waiting.length + fresh;
  assert.equal(known, readUpTo - acknowledged, 'a change is lost, or in two places');
  for (const [index, { sequence }] of waiting.entries()) {
    assert.ok(sequence > (waiting[index - 1]?.sequence ?? acknowledged), 'changes wait in another order');
    assert.ok(!settled.has(sequence), 'a settled change waits');
  }
  assert.ok(attempts.size <= WINDOW, 'more attempts are in flight than the window has');
}
