import { type ClientOptions, uncheckedSettings } from '../../client/src/client-options.ts';
import type { SendSettings } from '../../client/src/send.ts';
import { timedFetch } from './clock.ts';

/** Requests to the service that served the page. */
export const settingsOf = (
  apiKey: string,
  options: Omit<ClientOptions, 'url' | 'allowHttp' | 'apiKey'> = {},
): SendSettings => uncheckedSettings(location.origin, apiKey, { fetch: timedFetch, ...options });

/** The retries of requests that a person waits for, which fail soon. */
export const SOON = { maxRetries: 1, maxRetryAfterMs: 2000 };
