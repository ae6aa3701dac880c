import type { Config } from '../../../src/config/settings.ts';
import type { AppDependencies } from '../../../src/service/app.ts';
import { BUILT_IN_STATUSES } from '../../../src/values/status.ts';

/** The default settings, without rate limits, and with the longest time limit: a busy machine does not reach it. */
export const testConfig: AppDependencies['config'] & Pick<Config, 'createdAtAheadSeconds'> = {
  statuses: BUILT_IN_STATUSES,
  cursorLifetimeSeconds: 86_400,
  createdAtAheadSeconds: 86_400,
  accounts: 'any',
  requestTimeoutMs: 60_000,
  rateLimit: null,
  failedAuthenticationRateLimit: null,
  connectionsPerAddress: null,
  trustedProxies: [],
  maxHeaderBytes: 16_384,
  keepAliveSeconds: 72,
  logAddresses: 'off',
  publicUrl: null,
  sessionReturnUrl: null,
  embedOrigins: [],
};
