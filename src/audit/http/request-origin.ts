import type { FastifyRequest } from 'fastify';
import type { RandomBytes } from '../../../values/reference.ts';
import { callerOf } from '../../http/operations/operation.ts';
import { callerAddress } from '../../http/server/caller-address.ts';
import type { auditLog } from '../audit.ts';
import { type AuditStamp, stampOf } from '../audit.ts';

export interface AuditContext {
  /** `actor` is required if the request has no key. */
  auditStamp: (request: FastifyRequest, actor?: string) => AuditStamp;
  loggedAudit: ReturnType<typeof auditLog>;
}

export const requestStamper =
  (now: () => number, randomBytes: RandomBytes, logsAddresses: boolean): AuditContext['auditStamp'] =>
  (request, actor = callerOf(request).keyId) =>
    stampOf(
      {
        via: 'api',
        actor,
        address: logsAddresses ? callerAddress(request) : null,
      },
      now(),
      randomBytes,
    );
