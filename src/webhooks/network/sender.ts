import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Attempt, Send, SendResponse, SendResult } from '../send.ts';
import { addressRules } from './address-rules.ts';
import { type CheckedAgents, type CheckedOptions, createAgents } from './checked-agents.ts';
import { explainRequestFailure, isMalformed } from './explain-failure.ts';
import { explainWebhookUrl, hostOf, serverNameOf } from './explain-webhook-url.ts';
import { createProxy, explainRefusal, type WebhookProxy } from './proxy.ts';
import { createHostResolver, type ResolveName, resolveByDns } from './resolve-host.ts';

/** A body longer than this is not read to its end: the connection is closed instead of reused. */
const BODY_MAX_BYTES = 4096;
const BODY_TIMEOUT_MS = 1000;
const HEAD_MAX_BYTES = 16_384;

const STOPPED = 'the attempt was ended by the service';
const AT_PROXY = '; the proxy of the service had not connected to the host';

export interface SenderOptions {
  networks: readonly string[];
  allowsHttp: boolean;
  proxy?: string | null;
  now: () => number;
  resolveName?: ResolveName;
}

interface Sender {
  send: Send;
  /** The settings that decide which receivers can be reached, as a text that instances compare. */
  rules: string;
  /** Says why `rules` do not allow the URL. Without `rules`, the settings of this sender apply. */
  explainUrl: (url: string, rules?: string) => string | undefined;
  close(): void;
}

export function createSender({
  networks,
  allowsHttp,
  proxy: proxyAddress = null,
  now,
  resolveName = resolveByDns,
}: SenderOptions): Sender {
  const forbiddenBy = addressRules(networks);
  const proxy = proxyAddress === null ? null : createProxy(proxyAddress);
  const agents = createAgents(createHostResolver(forbiddenBy, resolveName), proxy);
  const explainUrl = (url: string, others?: string) =>
    explainWebhookUrl(url, rulesOfText(others) ?? { allowsHttp, forbiddenBy });
  const send: Send = async (attempt) => {
    // Checked again, because the settings can have changed since the endpoint was created.
    const fault = explainUrl(attempt.url);
    if (fault !== undefined) return { error: `the URL ${fault}` };
    return untilTimeLimit(attempt, (signal) => exchange(attempt, { ...agents, proxy, signal, now }));
  };
  return { send, rules: textOfRules(networks, allowsHttp, proxy !== null), explainUrl, close: agents.close };
}

const textOfRules = (networks: readonly string[], allowsHttp: boolean, hasProxy: boolean) =>
  `WEBHOOK_NETWORKS=${[...new Set(networks)].sort().join(',')} WEBHOOK_HTTP=${allowsHttp} WEBHOOK_PROXY=${hasProxy ? 'set' : ''}`;

function rulesOfText(text = '') {
  const [, networks, http] =
    /^WEBHOOK_NETWORKS=(\S*) WEBHOOK_HTTP=(true|false) WEBHOOK_PROXY=(?:set)?$/.exec(text) ?? [];
  if (networks === undefined) return undefined;
  const forbiddenBy = addressRules(networks.split(',').filter((network) => network !== ''));
  return { allowsHttp: http === 'true', forbiddenBy };
}

async function untilTimeLimit(
  { timeoutMs, signal }: Attempt,
  run: (signal: AbortSignal) => Promise<SendResult | typeof STALE>,
): Promise<SendResult> {
  if (signal?.aborted) return { error: STOPPED };
  const ending = new AbortController();
  const stop = () => ending.abort(STOPPED);
  const late = () => ending.abort(`no response within ${timeoutMs / 1000} s`);
  const timer = setTimeout(late, timeoutMs);
  signal?.addEventListener('abort', stop);
  try {
    for (;;) {
      // Each STALE result uses up an idle connection. A new connection is never stale, so this loop ends.
      const result = await run(ending.signal);
      if (result !== STALE) return result;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** The result if the receiver closed an idle connection just as it was reused. */
const STALE = Symbol('stale');

const STATUS_LINE_BYTES = 16;
/** Does not match a status of 1xx, because the final response follows it. */
const STATUS_LINE = /^HTTP\/1\.[01] ([2-5]\d\d)[ \r\n]/;

/** The status counts even if the rest of the head is malformed: the receiver has answered. */
function statusOf(begun: string): number | undefined {
  const [, status] = STATUS_LINE.exec(begun) ?? [];
  return status === undefined ? undefined : Number(status);
}

interface Exchange extends Pick<CheckedAgents, 'http' | 'https'> {
  proxy: WebhookProxy | null;
  signal: AbortSignal;
  now: () => number;
}

/** Resolves when the connection is idle again or closed. */
function exchange(
  { url: text, headers, body }: Attempt,
  { http, https, proxy, signal, now }: Exchange,
): Promise<SendResult | typeof STALE> {
  const { promise, resolve } = Promise.withResolvers<SendResult | typeof STALE>();
  const url = new URL(text);
  const host = hostOf(url);
  const isSecure = url.protocol === 'https:';
  const relay = isSecure ? null : proxy;
  const progress = { isAtProxy: false };
  const options: CheckedOptions & { servername: string } = {
    agent: isSecure ? https : http,
    method: 'POST',
    host,
    port: url.port === '' ? undefined : url.port,
    path: (relay === null ? '' : url.origin) + url.pathname + url.search,
    headers: { ...headers, ...relay?.headers },
    signal,
    connectSignal: signal,
    progress,
    servername: serverNameOf(host),
    maxHeaderSize: HEAD_MAX_BYTES,
    insecureHTTPParser: false,
  };
  const request = (isSecure ? httpsRequest : httpRequest)(options);
  let received: SendResponse | undefined;
  // If a request is aborted before it is connected, node:http reports nothing. So `end` resolves the promise.
  const end = () => resolve(received ?? { error: `${signal.reason}${progress.isAtProxy ? AT_PROXY : ''}` });
  signal.addEventListener('abort', end, { once: true });
  request.once('response', (response) => {
    if (relay !== null && response.statusCode === 407) {
      response.destroy();
      resolve({ error: `the proxy of the service ${explainRefusal(407)}` });
      return;
    }
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now());
    received = { status: response.statusCode ?? 0, retryAfterMs };
    const timer = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_MAX_BYTES) response.destroy();
    });
    response.on('error', () => {});
    response.once('close', () => {
      clearTimeout(timer);
      resolve(received as SendResponse);
    });
  });
  let begun = '';
  request.once('socket', (socket) => {
    const collect = (chunk: Buffer) => {
      if (begun.length < STATUS_LINE_BYTES) begun += chunk.toString('latin1', 0, STATUS_LINE_BYTES);
    };
    socket.prependListener('data', collect);
    request.once('close', () => socket.off('data', collect));
  });
  request.once('upgrade', ({ statusCode = 0 }, socket) => {
    socket.destroy();
    resolve({ status: statusCode, retryAfterMs: null });
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    if (received !== undefined) return;
    const status = isMalformed(error) ? statusOf(begun) : undefined;
    if (status !== undefined) resolve({ status, retryAfterMs: null });
    else resolve(isStale && !signal.aborted ? STALE : { error: explainRequestFailure(error) });
  });
  request.end(body);
  return promise;
}

const SECONDS = /^\d{1,10}$/;
/** The three forms of an HTTP date begin with the name of a day. Source: RFC 9110, section 5.6.7. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Returns milliseconds from now; null if the header is absent or malformed. Source: RFC 9110, 10.2.3. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (SECONDS.test(text)) return Number(text) * 1000;
  // The asctime form has no time zone, and means UTC.
  const atMs = DATE.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(atMs - nowMs, 0);
}
