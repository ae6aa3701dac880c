import { capability } from '../capability.ts';
import { createKeyMetrics } from './http/key-metrics.ts';
import { KEY_OPERATIONS } from './http/operations.ts';
import { SESSION_OPERATIONS } from './http/session-operations.ts';
import { removeExpiredSessions } from './session.ts';

export const KEYS = capability({
  operations: [...KEY_OPERATIONS, ...SESSION_OPERATIONS],
  metrics: createKeyMetrics,
  expiring: { name: 'sessions', on: 'operator', remove: removeExpiredSessions },
});
