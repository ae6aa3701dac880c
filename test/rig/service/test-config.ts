import { readConfig } from '../../../src/config/read-config.ts';
import type { PublicConfig } from '../../../src/config/settings.ts';

const read = readConfig({});
if (!('config' in read)) throw new Error(read.faults.join(' '));
const { secrets: _, ...defaults } = read.config;

/** The defaults, but without rate limits, and with a time limit that a busy machine does not reach. */
export const testConfig: PublicConfig = {
  ...defaults,
  requestTimeoutMs: 60_000,
  rateLimit: null,
  failedAuthenticationRateLimit: null,
  connectionsPerAddress: null,
};

/** Only requests that hang reach this time limit, even on a busy machine. */
export const impatientConfig: PublicConfig = { ...testConfig, requestTimeoutMs: 500 };
