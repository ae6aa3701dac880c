import { ArgumentError } from './errors.ts';
import { checkNames } from './known-names.ts';
import type { Fetch } from './request.ts';
import { browserOptions } from './request.ts';
import type { Hooks } from './response-info.ts';
import type { SendSettings } from './send.ts';
import { wholeNumber } from './whole-number.ts';

export interface ClientOptions extends Hooks {
  /** Default: the environment variable TRANSACTIONS_URL (PlatformClient: TRANSACTIONS_OPERATOR_URL). */
  url?: string | undefined;
  /** Allows http:// urls of other machines. Others on the network can then read the key. Default: false. */
  allowHttp?: boolean | undefined;
  /** Default: the environment variable TRANSACTIONS_API_KEY (PlatformClient: TRANSACTIONS_OPERATOR_KEY). */
  apiKey?: string | undefined;
  /**
   * The time limit of each attempt, including the body. The `wait` for changes is added to it. Default:
   * 10,000.
   */
  timeoutMs?: number | undefined;
  /** The default, 5 retries, outlasts a restart of the service. `changes.follow` has no limit by default. */
  maxRetries?: number | undefined;
  /**
   * The longest pause that the service may ask for. If it asks for a longer pause, the call fails. Default:
   * 60,000; for a `changes.follow` feed, a day.
   */
  maxRetryAfterMs?: number | undefined;
  /** Default: the platform's fetch. */
  fetch?: Fetch | undefined;
}

export interface Surroundings {
  now?: (() => number) | undefined;
  sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  random?: (() => number) | undefined;
}
export const SURROUNDINGS: unique symbol = /* @__PURE__ */ Symbol('surroundings');
type InternalOptions = ClientOptions & { [SURROUNDINGS]?: Surroundings };

const DAY_MS = 86_400_000;

const OPTIONS = /* @__PURE__ */ Object.keys({
  url: true,
  allowHttp: true,
  apiKey: true,
  timeoutMs: true,
  maxRetries: true,
  maxRetryAfterMs: true,
  fetch: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
} satisfies Record<keyof ClientOptions, true>);

const MEANT: readonly (readonly [RegExp, string])[] = [
  [/key|token|secret/i, 'apiKey'],
  [/ur[il]|host|endpoint/i, 'url'],
];

export function sendSettings(
  options: InternalOptions,
  urlVariable = 'TRANSACTIONS_URL',
  keyVariable = 'TRANSACTIONS_API_KEY',
): SendSettings {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('The options are not an object: write for example { url, apiKey }.');
  checkNames('option', options, OPTIONS, MEANT);
  wholeNumber('maxRetries', options.maxRetries ?? 0, 0);
  wholeNumber('maxRetryAfterMs', options.maxRetryAfterMs ?? 0, 0);
  wholeNumber('timeoutMs', options.timeoutMs ?? 1, 1);
  return uncheckedSettings(
    checkUrl(options.url ?? fromEnvironment('url', urlVariable), options.allowHttp ?? false),
    checkApiKey(options.apiKey ?? fromEnvironment('apiKey', keyVariable)),
    options,
  );
}

/** For the page in web/, which passes its own origin as the url and has already checked the key. */
export function uncheckedSettings(
  url: string,
  apiKey: string,
  options: Omit<InternalOptions, 'url' | 'allowHttp' | 'apiKey'>,
): SendSettings {
  const { now = Date.now, sleep = pause, random = Math.random } = options[SURROUNDINGS] ?? {};
  return {
    url,
    apiKey,
    timeoutMs: options.timeoutMs ?? 10_000,
    callRetries: {
      maxRetries: options.maxRetries ?? 5,
      maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
      maxPauseMs: 4000,
    },
    feedRetries: {
      maxRetries: options.maxRetries ?? Number.POSITIVE_INFINITY,
      maxRetryAfterMs: options.maxRetryAfterMs ?? DAY_MS,
      maxPauseMs: 15_000,
    },
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    fetchOptions: browserOptions(),
    now,
    service: { hasAnswered: false },
    sleep,
    random,
    onRequest: options.onRequest,
    onResponse: options.onResponse,
    onRetry: options.onRetry,
  };
}

function fromEnvironment(option: string, variable: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = process?.env?.[variable];
  if (value !== undefined) return value;
  throw new ArgumentError(`The ${option} is missing: pass it, or set the environment variable ${variable}.`);
}

/** A request to this machine can use http, because the key does not cross the network. */
const isLoopback = (host: string) => /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:.+\.)?localhost\.?)$/.test(host);

function checkUrl(text: string, allowHttp: boolean): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ArgumentError('The url is not a URL, such as https://transactions.example.');
  }
  if (!/^https?:$/.test(url.protocol))
    throw new ArgumentError('The url must begin with https:// or http://.');
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname))
    throw new ArgumentError(
      'The url begins with http:// and names another machine, so others on the network could read the API key. Use https://, or set allowHttp if you trust the network.',
    );
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new ArgumentError('The url has a user, a query or a fragment. Use only host, port and path.');
  }
  const base = url.href.replace(/\/+$/, '');
  if (/\/v1$/.test(base))
    throw new ArgumentError(
      `The url ends in /v1, which the client adds to it: use ${base.slice(0, -'/v1'.length)}.`,
    );
  return base;
}

/** An invalid key is refused here, because fetch's message about the header would show the key. */
function checkApiKey(apiKey: string): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new ArgumentError(
    'The apiKey is empty, or contains a space, a line break or another character that no key has.',
  );
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
