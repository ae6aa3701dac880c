import { TIMESTAMP_FORM } from '../../../values/calendar.ts';
import { LABEL_MAX_CHARACTERS, URL_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { pageOf } from '../../http/operations/page.ts';
import { type Static, Type } from '../../http/schemas/type.ts';
import { WEBHOOK_ID_FORM, WEBHOOK_STATES } from '../webhook.ts';
import { WEBHOOK_SIGNINGS } from '../webhook-message.ts';

const time = (description: string) =>
  Type.String({
    description,
    format: 'date-time',
    pattern: TIMESTAMP_FORM,
    examples: ['2026-06-15T12:00:00.000Z'],
  });
const timeOrNull = (description: string) =>
  Type.Nullable({ description, format: 'date-time', pattern: TIMESTAMP_FORM });

const URL_DESCRIPTION = `Where webhooks are sent: https, at most ${URL_MAX_CHARACTERS} characters, without user name, password or fragment. It may not lead to an address of a private or otherwise special network.`;
const TYPES_DESCRIPTION =
  'The types of the changes that are delivered, such as transaction.completed; null for all.';
const LABEL_DESCRIPTION = `What the endpoint is for: at most ${LABEL_MAX_CHARACTERS} characters, or null.`;
const ORDERED_DESCRIPTION =
  'Whether each change is delivered only after the change before it. Then a change that fails delays all later changes.';
const SIGNING_DESCRIPTION =
  'How deliveries are signed: v1 with a secret that the receiver has too (HMAC-SHA256), or v1a with a secret key that stays at the service (Ed25519).';
const PUBLIC_KEY_DESCRIPTION = 'With v1a, the key that verifies deliveries: whpk_ and base64. Null with v1.';
const PUBLIC_KEY_FORM = '^whpk_[A-Za-z0-9+/]{43}=$';
const URL_EXAMPLES = ['https://shop.example/webhooks'];

const webhookFields = {
  id: Type.String({
    description: 'Identifies the endpoint. It is not a secret.',
    pattern: WEBHOOK_ID_FORM,
    examples: ['we_0123456789abcdef'],
  }),
  url: Type.String({ description: URL_DESCRIPTION, maxLength: URL_MAX_CHARACTERS, examples: URL_EXAMPLES }),
  types: Type.NullableArray(Type.String(), { description: TYPES_DESCRIPTION }),
  label: Type.Nullable({ description: LABEL_DESCRIPTION }),
  ordered: Type.Boolean({ description: ORDERED_DESCRIPTION }),
  signing: Type.OpenEnum(WEBHOOK_SIGNINGS, SIGNING_DESCRIPTION),
  publicKey: Type.Nullable({ description: PUBLIC_KEY_DESCRIPTION, pattern: PUBLIC_KEY_FORM }),
  state: Type.OpenEnum(WEBHOOK_STATES, 'Whether changes are delivered.'),
  disabledReason: Type.Nullable({
    description:
      'Why it is disabled: "requested", "gone" (the receiver answered 410) or "failing" (every attempt failed for five days). Null while it is enabled. A later version can have more.',
  }),
  disabledAt: timeOrNull('When it was disabled; null while it is enabled.'),
  createdAt: time('When it was created.'),
  acknowledgedSequence: Type.Integer({
    minimum: 0,
    description:
      'Every change up to this sequence number is delivered, is of another type, or is listed as a failure.',
  }),
  headSequence: Type.Integer({
    minimum: 0,
    description:
      'The number of the last change of the account: headSequence less acknowledgedSequence is how far the endpoint is behind.',
  }),
  failureCount: Type.Integer({
    minimum: 0,
    description: 'How many changes could not be delivered, and are kept as failures.',
  }),
  failingSince: timeOrNull(
    'Since when every attempt has failed; null if the last one succeeded, or none was made.',
  ),
};

export const WebhookSchema = Type.Object(webhookFields, {
  $id: 'Webhook',
  title: 'Webhook',
  description: 'An endpoint: where the changes of the account are delivered.',
});
export type WebhookBody = Static<typeof WebhookSchema>;

const SECRET_FORM = '^whsec_[A-Za-z0-9+/]+=*$';

export const CreatedWebhookSchema = Type.Object(
  {
    ...webhookFields,
    secret: Type.Nullable({
      description:
        'Signs every webhook. It is shown only in this response. Null with v1a: publicKey verifies.',
      pattern: SECRET_FORM,
    }),
    warning: Type.Optional(
      Type.String({ description: 'Says that another endpoint of the account has the same URL.' }),
    ),
  },
  { $id: 'CreatedWebhook', title: 'CreatedWebhook' },
);
export type CreatedWebhookBody = Static<typeof CreatedWebhookSchema>;

export const WebhookPageSchema = pageOf('WebhookPage', Type.Ref(WebhookSchema), 'Oldest first.');

const requestFields = {
  types: Type.Optional(Type.NullableArray(Type.String(), { description: TYPES_DESCRIPTION })),
  label: Type.Optional(Type.Nullable({ description: LABEL_DESCRIPTION })),
  ordered: Type.Optional(Type.Boolean({ description: ORDERED_DESCRIPTION })),
};

export const WebhookRequestSchema = Type.Object(
  {
    url: Type.String({ description: URL_DESCRIPTION, examples: URL_EXAMPLES }),
    ...requestFields,
    signing: Type.Optional(
      Type.Enum(WEBHOOK_SIGNINGS, { description: `${SIGNING_DESCRIPTION} Default: v1.` }),
    ),
  },
  {
    $id: 'WebhookRequest',
    title: 'WebhookRequest',
    examples: [{ url: 'https://shop.example/webhooks', types: ['transaction.completed'], label: 'shop' }],
  },
);

export const WebhookChangesRequestSchema = Type.Object(
  {
    url: Type.Optional(Type.String({ description: URL_DESCRIPTION, examples: URL_EXAMPLES })),
    ...requestFields,
    state: Type.Optional(
      Type.Enum(WEBHOOK_STATES, {
        description:
          'disabled stops deliveries. enabled starts them again where they stopped, whatever the reason was.',
      }),
    ),
  },
  {
    $id: 'WebhookChangesRequest',
    title: 'WebhookChangesRequest',
    description: 'Absent fields do not change.',
    examples: [{ state: 'enabled' }],
  },
);

export const ReplayRequestSchema = Type.Object(
  {
    after: Type.Integer({
      minimum: 0,
      description:
        'Changes with larger sequence numbers are delivered again: at most acknowledgedSequence, and 0 for all.',
      examples: [0],
    }),
  },
  { $id: 'ReplayRequest', title: 'ReplayRequest', examples: [{ after: 0 }] },
);

export const RotatedSecretSchema = Type.Object(
  {
    secret: Type.Nullable({
      description: 'The new secret. It is shown only in this response. Null with v1a.',
      pattern: SECRET_FORM,
    }),
    publicKey: Type.Nullable({ description: PUBLIC_KEY_DESCRIPTION, pattern: PUBLIC_KEY_FORM }),
    previousSecretUntil: time('Until then, webhooks are also signed with the previous secret.'),
  },
  { $id: 'RotatedSecret', title: 'RotatedSecret' },
);

export const WebhookTestSchema = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the receiver answered with a status from 200 to 299.' }),
    status: Type.NullableInteger({ description: 'The status of the response; null if there was none.' }),
    error: Type.Nullable({ description: 'Why the test failed; null if it was delivered.' }),
    durationMs: Type.Integer({ minimum: 0, description: 'How long the attempt took.' }),
  },
  { $id: 'WebhookTest', title: 'WebhookTest' },
);

const WebhookFailureSchema = Type.Object(
  {
    sequence: Type.Integer({ minimum: 1, description: 'The sequence number of the change.' }),
    attempts: Type.Integer({
      minimum: 1,
      description:
        'How many attempts failed. While the endpoint is paused, attempts that find the receiver unavailable are not counted.',
    }),
    firstFailedAt: time('When the first attempt failed.'),
    lastFailedAt: time('When the last attempt failed.'),
    nextAttemptAt: timeOrNull(
      'When the next attempt is due. Null after the last attempt: then the change is retried only by hand. While the endpoint is paused, this time can be in the past: the attempt is made after the next success.',
    ),
    responseStatus: Type.NullableInteger({
      description: 'The status of the last response; null if there was none.',
    }),
    error: Type.String({
      description: 'Why the last attempt failed.',
      examples: ['the receiver answered 500'],
    }),
  },
  { $id: 'WebhookFailure', title: 'WebhookFailure' },
);

export const FAILURES_OF_PAGE = 20;

export const WebhookFailurePageSchema = pageOf(
  'WebhookFailurePage',
  Type.Ref(WebhookFailureSchema),
  'In the order of their sequence numbers.',
  FAILURES_OF_PAGE,
);
export type WebhookFailurePageBody = Static<typeof WebhookFailurePageSchema>;
