import { auditEntry } from '../../../audit/audit.ts';
import type { AuditContext } from '../../../audit/http/request-origin.ts';
import { type Context, defineOperation } from '../../../http/operations/operation.ts';
import { emptyResponse } from '../../../http/schemas/responses.ts';
import type { ArchiveReader } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { transactionNotFound } from '../../http/archived-before.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import type { DetailsRemover } from '../record.ts';

export const removeDetailsOperation = defineOperation({
  method: 'DELETE',
  operator: {
    id: 'removeDetails',
    path: '/v1/accounts/:account/transactions/:reference/details',
    access: 'record',
    tag: 'recording',
    summary: 'Remove details',
    description:
      'From now on, the transaction, its changes and exports show detailsRemovedAt and no details. Recording the transaction again ' +
      'with its details changes nothing and does not bring them back. If the transaction has no details, nothing changes.',
  },
  pathParameters: { account: ACCOUNT, reference: REFERENCE },
  responses: { 204: emptyResponse('The transaction has no details.') },
  handler:
    ({ store, auditStamp, loggedAudit }: Context<DetailsRemover & ArchiveReader> & AuditContext) =>
    async (request, reply) => {
      const { account, reference } = request.params;
      const entry = auditEntry(auditStamp(request), 'details.removed', account, reference);
      const outcome = await store.removeDetails(account, reference, entry);
      if (outcome === undefined) throw await transactionNotFound(store, account, reference);
      if (outcome === 'removed') request.logFields = { audit: loggedAudit(entry) };
      return reply.code(204).send();
    },
});
