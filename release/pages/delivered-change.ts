import { Type } from '../../src/http/schemas/type.ts';
import { ChangeSchema } from '../../src/ledger/changes/http/change-schemas.ts';
import type { WebhookDescription } from './openapi-document.ts';

const DeliveredChange = Type.Object(
  {
    type: Type.String({
      description:
        'The type of the change, such as transaction.completed. Accept types that you do not know.',
      examples: ['transaction.completed'],
    }),
    timestamp: Type.String({ format: 'date-time', description: 'When the change was recorded.' }),
    data: Type.Ref(ChangeSchema),
  },
  { $id: 'DeliveredChange', title: 'DeliveredChange' },
);

/** Source: Standard Webhooks 1.0.0. */
export const deliveredChange: WebhookDescription = {
  id: 'deliverChange',
  summary: 'A delivery',
  description:
    'Sent to every endpoint that takes the type of the change, at least once. Check the signature before anything else, answer within 15 seconds, and ignore a webhook-id that you have seen.',
  headers: {
    'webhook-id': Type.String({ description: 'The same for every attempt and every replay of the change.' }),
    'webhook-timestamp': Type.String({ description: 'When the attempt was made, in seconds since 1970.' }),
    'webhook-signature': Type.String({
      description:
        '`v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the body with full stops between them; after a rotation, one such signature for each secret, with a space between them.',
    }),
  },
  body: Type.Ref(DeliveredChange),
  responses: {
    '2XX': 'The change is delivered.',
    '410': 'The endpoint is gone: it is disabled.',
    default: 'The change is delivered again later.',
  },
};
