import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../http/access/caller.ts';
import { callerAddress } from '../../http/access/caller-address.ts';
import type { RandomBytes } from '../../values/reference.ts';
import { type AuditStamp, stampOf } from '../audit.ts';

export interface AuditContext {
  /** Who sends a request, from where and when. */
  auditStamp: (request: FastifyRequest) => AuditStamp;
}

export const requestStamper =
  (now: () => number, randomBytes: RandomBytes, logsAddresses: boolean): AuditContext['auditStamp'] =>
  (request) =>
    stampOf(
      {
        via: 'api',
        actor: callerOf(request).keyId,
        address: logsAddresses ? callerAddress(request) : null,
      },
      now(),
      randomBytes,
    );
