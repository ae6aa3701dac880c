import { lookup } from 'node:dns';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { showChange } from './change.ts';
import type { Change } from './ledger.ts';
import type { Service } from './service.ts';
import { formatTime } from './times.ts';
import { signWebhook, type Webhook } from './webhook.ts';

const ATTEMPT_LIMIT_MS = 15_000;
/** The waits before the attempts after the first one. */
const WAITS_MS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1000,
);

export type Attempt = { delivered: boolean; status: number | null; error: string | null };

/** Addresses that are not public. */
const SPECIAL = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  SPECIAL.addSubnet(address, bits, 'ipv4');
}
for (const [address, bits] of [
  ['::', 8],
  ['64:ff9b::', 32],
  ['100::', 8],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  SPECIAL.addSubnet(address, bits, 'ipv6');
}

const running = new Map<Webhook, () => void>();

/** Wakes the delivery to an endpoint, and begins it at the first time. */
export function deliverSoon(service: Service, webhook: Webhook): void {
  const wake = running.get(webhook);
  if (wake === undefined) deliver(service, webhook);
  else wake();
}

/** Delivers until the endpoint is deleted: at each change, at each request about the endpoint, and when a failure is due. */
async function deliver(service: Service, webhook: Webhook): Promise<void> {
  const ledger = service.ledger(webhook.account);
  while (!service.isStopping && service.webhooks.includes(webhook)) {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    running.set(webhook, wake);
    await deliverDue(service, webhook);
    if (service.isStopping) break;
    const nextMs = [...webhook.failures.values()].map((failure) => failure.nextAttemptAtMs ?? Infinity);
    const waitMs = Math.min(60_000, ...nextMs.map((atMs) => Math.max(0, atMs - service.now())));
    await Promise.race([woken, ledger.nextChange(waitMs)]);
  }
  running.delete(webhook);
}

/** Delivers what is due: the next changes of the feed, then failures whose time has come. */
async function deliverDue(service: Service, webhook: Webhook): Promise<void> {
  const { changes } = service.ledger(webhook.account);
  while (webhook.disabledReason === null && !service.isStopping) {
    const change = changes[webhook.acknowledgedSequence];
    if (change === undefined || (webhook.ordered && webhook.failures.size > 0)) break;
    await deliverChange(service, webhook, change);
    // A replay can have moved the position back meanwhile.
    if (webhook.acknowledgedSequence === change.sequence - 1) webhook.acknowledgedSequence = change.sequence;
  }
  for (const { sequence, nextAttemptAtMs } of [...webhook.failures.values()]) {
    const change = changes[sequence - 1];
    const isDue = nextAttemptAtMs !== null && nextAttemptAtMs <= service.now();
    if (change !== undefined && isDue && webhook.disabledReason === null)
      await deliverChange(service, webhook, change);
  }
}

async function deliverChange(service: Service, webhook: Webhook, change: Change): Promise<void> {
  const event = showChange(change);
  if (webhook.types !== null && !webhook.types.includes(event.type)) return;
  const { id } = change;
  const attempt = await send(service, webhook, id, {
    type: event.type,
    timestamp: event.recordedAt,
    data: event,
  });
  if (attempt.delivered) {
    webhook.failures.delete(change.sequence);
    return;
  }
  if (attempt.status === 410) disable(webhook, 'gone', service.now());
  const nowMs = service.now();
  const before = webhook.failures.get(change.sequence);
  const waitMs = WAITS_MS[before?.attempts ?? 0];
  webhook.failures.set(change.sequence, {
    sequence: change.sequence,
    attempts: (before?.attempts ?? 0) + 1,
    firstFailedAtMs: before?.firstFailedAtMs ?? nowMs,
    lastFailedAtMs: nowMs,
    nextAttemptAtMs: waitMs === undefined ? null : nowMs + Math.round(waitMs * (1 + Math.random() / 10)),
    responseStatus: attempt.status,
    error: attempt.error ?? '',
  });
}

/** Sends an event that is no change, and is not sent again. */
export function sendTest(service: Service, webhook: Webhook): Promise<Attempt> {
  const event = { type: 'webhook.test', timestamp: formatTime(service.now()), data: {} };
  return send(service, webhook, `msg_test_${webhook.id}_${service.now()}`, event);
}

export function disable(webhook: Webhook, reason: 'requested' | 'gone', nowMs: number): void {
  webhook.disabledReason = reason;
  webhook.disabledAtMs = nowMs;
}

async function send(service: Service, webhook: Webhook, id: string, event: object): Promise<Attempt> {
  const body = JSON.stringify(event);
  const headers = signWebhook(webhook, id, body, service.now());
  try {
    const status = await post(webhook.url, headers, body, service.allowsLoopback);
    const delivered = status >= 200 && status < 300;
    return { delivered, status, error: delivered ? null : `the receiver answered ${status}` };
  } catch (error) {
    return { delivered: false, status: null, error: String(error) };
  }
}

/** Posts once. Redirects are not followed, and the body of the response is not read. */
async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  allowsLoopback: boolean,
): Promise<number> {
  const { protocol, hostname } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) refuseSpecial(address, allowsLoopback);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(ATTEMPT_LIMIT_MS);
  const length = { 'content-length': Buffer.byteLength(body) };
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, ...length },
    agent: false,
    signal,
    // The connection is made to the address that was checked, not to the result of a second query.
    lookup: (host, options, done) =>
      lookup(host, options, (error, found, family) => {
        if (error !== null) return done(error, found, family);
        try {
          for (const one of Array.isArray(found) ? found : [{ address: found }]) {
            refuseSpecial(one.address, allowsLoopback);
          }
        } catch (refused) {
          return done(refused as Error, found, family);
        }
        done(null, found, family);
      }),
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode ?? 0;
}

function refuseSpecial(address: string, allowsLoopback: boolean): void {
  if (allowsLoopback && (address.startsWith('127.') || address === '::1')) return;
  if (SPECIAL.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
    throw new Error('the address is not public');
}
