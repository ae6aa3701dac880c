import { isSequenceText } from '../../../values/whole-number.ts';
import { EXAMPLES } from '../../http/examples.ts';
import { accountOf, defineOperation } from '../../http/operations/operation.ts';
import { PAGE_HEADERS, PAGE_QUERY, type PageContext, readPage } from '../../http/operations/page.ts';
import { notFound, type PathParameter } from '../../http/operations/parameters.ts';
import { emptyResponse, jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { formatFailure } from '../webhook.ts';
import { WEBHOOK_ID, WEBHOOK_PATH, type WebhookContext } from './webhook-context.ts';
import {
  FAILURES_OF_PAGE,
  type WebhookFailurePageBody,
  WebhookFailurePageSchema,
} from './webhook-schemas.ts';

const SEQUENCE: PathParameter = {
  schema: Type.String({
    description: 'The sequence number of a change, as the list of failures shows it.',
    examples: ['7'],
  }),
  isValid: isSequenceText,
  absent: 'The account has no endpoint with this id that has a failure with this sequence number.',
};

export const listWebhookFailuresOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listWebhookFailures',
    path: `${WEBHOOK_PATH}/failures`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'List failures',
    description:
      'Changes that could not be delivered, in the order of their sequence numbers. The change feed has the changes themselves.',
  },
  pathParameters: { id: WEBHOOK_ID },
  query: PAGE_QUERY,
  responses: {
    200: jsonResponse(
      'A page of failures.',
      Type.Ref(WebhookFailurePageSchema),
      EXAMPLES.failures,
      PAGE_HEADERS,
    ),
  },
  handler:
    (context: WebhookContext & PageContext) =>
    async (request, reply): Promise<WebhookFailurePageBody> => {
      const { store } = context;
      const account = accountOf(request);
      const { id } = request.params;
      const page = await readPage(context, request.query, reply, {
        name: `failures of ${account} ${id}`,
        pageItems: FAILURES_OF_PAGE,
        read: async (place: readonly [number] | null, limit) => {
          if ((await store.findWebhook(account, id)) === undefined) throw notFound(WEBHOOK_ID);
          return store.listWebhookFailures(account, id, place?.[0] ?? 0, limit);
        },
        positionOf: ({ sequence }) => [sequence] as const,
      });
      request.logFields = { count: page.data.length };
      return { ...page, data: page.data.map(formatFailure) };
    },
});

export const retryWebhookFailureOperation = defineOperation({
  method: 'POST',
  public: {
    id: 'retryWebhookFailure',
    path: `${WEBHOOK_PATH}/failures/:sequence/retry`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Retry a failure',
    description:
      'The change is delivered again within seconds, unless the endpoint is disabled. The failure is listed until the delivery succeeds.',
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
