import { accountOf } from '../../http/access/caller.ts';
import { DEFAULT_ITEMS, limitParameter } from '../../http/operations/limit-parameter.ts';
import { defineOperation } from '../../http/operations/operation.ts';
import { notFound, type PathParameter } from '../../http/operations/path-parameter.ts';
import { type QueryParameter, readQuery } from '../../http/operations/query.ts';
import { PROBLEMS } from '../../http/problems/problems.ts';
import { emptyResponse, jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { CHANGE_PROBLEMS } from '../../ledger/changes/http/change-problems.ts';
import { quote } from '../../values/quote.ts';
import { isSequenceText } from '../../values/whole-number.ts';
import { formatFailure } from '../format-webhook.ts';
import { WEBHOOK_ID, WEBHOOK_PATH, type WebhookContext } from './webhook-context.ts';
import { FAILURE_EXAMPLES } from './webhook-examples.ts';
import { WebhookFailurePage, type WebhookFailurePageBody } from './webhook-schemas.ts';

const QUERY = {
  after: {
    schema: Type.Integer({
      minimum: 0,
      default: 0,
      description: 'Failures with larger sequence numbers are returned.',
    }),
    isValid: isSequenceText,
    fault: (value) => ({
      code: 'invalid_sequence',
      detail: `${quote(value)} is not a sequence number. Send the sequence of the last failure of the page before, or 0 for the first failure.`,
    }),
  },
  limit: limitParameter('failures', 'the last sequence'),
} as const satisfies Record<string, QueryParameter<'invalid_sequence' | 'invalid_limit'>>;

const KINDS = {
  invalid_sequence: CHANGE_PROBLEMS.invalid_sequence,
  invalid_limit: PROBLEMS.invalid_limit,
};

const SEQUENCE: PathParameter = {
  schema: Type.String({
    description: 'The sequence number of a change, as the list of failures shows it.',
    examples: ['7'],
  }),
  isValid: isSequenceText,
  absent: 'The account has no endpoint with this id that has a failure with this sequence number.',
};

export const listWebhookFailures = defineOperation({
  method: 'GET',
  public: {
    id: 'listWebhookFailures',
    path: `${WEBHOOK_PATH}/failures`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'List the changes that could not be delivered to an endpoint',
    description:
      'In the order of their sequence numbers. To continue, send the last sequence as after. The change feed has the changes themselves.',
  },
  pathParameters: { id: WEBHOOK_ID },
  query: QUERY,
  responses: { 200: jsonResponse('A page of failures.', Type.Ref(WebhookFailurePage), FAILURE_EXAMPLES) },
  problems: Object.values(KINDS),
  handler:
    ({ store }: WebhookContext) =>
    async (request): Promise<WebhookFailurePageBody> => {
      const read = readQuery(request.query, QUERY, KINDS);
      const after = Number(read.after ?? 0);
      const limit = Number(read.limit ?? DEFAULT_ITEMS);
      const account = accountOf(request);
      const { id } = request.params;
      if ((await store.findWebhook(account, id)) === undefined) throw notFound(WEBHOOK_ID);
      const failures = await store.listWebhookFailures(account, id, after, limit + 1);
      const listed = failures.slice(0, limit);
      request.logFields = { after, count: listed.length };
      return { data: listed.map(formatFailure), hasMore: failures.length > limit };
    },
});

export const retryWebhookFailure = defineOperation({
  method: 'POST',
  public: {
    id: 'retryWebhookFailure',
    path: `${WEBHOOK_PATH}/failures/:sequence/retry`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Retry a failure now',
    description:
      'The change is delivered again within seconds, unless the endpoint is disabled. The failure is listed until that succeeds.',
  },
  pathParameters: { id: WEBHOOK_ID, sequence: SEQUENCE },
  responses: { 202: emptyResponse('The failure is due now.') },
  handler:
    ({ store, now }: WebhookContext) =>
    async (request, reply) => {
      const { id } = request.params;
      const sequence = Number(request.params.sequence);
      request.logFields = { sequence };
      const isDue = await store.retryWebhookFailure(accountOf(request), id, sequence, now());
      if (!isDue) throw notFound(SEQUENCE);
      return reply.code(202).send();
    },
});
