import { type ClientOptions, uncheckedSettings } from '../../client/src/client-options.ts';
import type { SendSettings } from '../../client/src/send.ts';
import { timedFetch } from './clock.ts';

export const settingsOf = (
  apiKey: string,
  options: Omit<ClientOptions, 'url' | 'allowHttp' | 'apiKey'> = {},
): SendSettings => uncheckedSettings(location.origin, apiKey, { fetch: timedFetch, ...options });

export const SOON = { maxRetries: 1, maxRetryAfterMs: 2000 };
