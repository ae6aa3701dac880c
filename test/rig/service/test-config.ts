import { readConfig } from '../../../src/config/read-config.ts';
import type { PublicConfig } from '../../../src/config/settings.ts';

const read = readConfig({});
if (!('config' in read)) throw new Error(read.faults.join(' '));
const { secrets: _, ...defaults } = read.config;

export const testConfig: PublicConfig = {
  ...defaults,
  requestTimeoutMs: 60_000,
  rateLimit: null,
  failedAuthenticationRateLimit: null,
  connectionsPerAddress: null,
};

export const impatientConfig: PublicConfig = { ...testConfig, requestTimeoutMs: 500 };
