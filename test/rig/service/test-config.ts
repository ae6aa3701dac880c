import { readConfig } from '../../../src/config/read-config.ts';
import type { PublicConfig } from '../../../src/config/settings.ts';

const read = readConfig({});
if (!('config' in read)) throw new Error(read.faults.join(' '));
const { secrets: _, ...defaults } = read.config;

/** The defaults, without rate limits, and with the longest time limit: a busy machine does not reach it. */
export const testConfig: PublicConfig = {
  ...defaults,
  requestTimeoutMs: 60_000,
  rateLimit: null,
  failedAuthenticationRateLimit: null,
  connectionsPerAddress: null,
};

/** With a time limit that ends hanging requests, but that other requests do not reach on a busy machine. */
export const impatientConfig: PublicConfig = { ...testConfig, requestTimeoutMs: 500 };
