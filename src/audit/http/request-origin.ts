import type { FastifyRequest } from 'fastify';
import type { RandomBytes } from '../../../values/reference.ts';
import { callerOf } from '../../http/operations/operation.ts';
import { callerAddress } from '../../http/server/caller-address.ts';
import type { auditLog } from '../audit.ts';
import { type AuditStamp, stampOf } from '../audit.ts';

export interface AuditContext {
  /** Who sends a request, from where, when. `actor` is the key or session, if the request lacks its key. */
  auditStamp: (request: FastifyRequest, actor?: string) => AuditStamp;
  /** An entry as the log line of the request that made it has it. */
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
