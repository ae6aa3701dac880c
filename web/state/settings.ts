import { type ClientOptions, uncheckedSettings } from '../../client/src/client-options.ts';
import type { SendSettings } from '../../client/src/send.ts';
import { timedFetch } from './clock.ts';

/** The settings of requests to the service that served the page. */
export const settingsOf = (
  apiKey: string,
  options: Omit<ClientOptions, 'url' | 'allowHttp' | 'apiKey'> = {},
): SendSettings => uncheckedSettings(location.origin, apiKey, { fetch: timedFetch, ...options });

/** Retries for requests that a user waits for. They give up early. */
export const SOON = { maxRetries: 1, maxRetryAfterMs: 2000 };
