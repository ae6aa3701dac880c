import type { Example } from '../../http/schemas/responses.ts';
import type {
  CreatedWebhookBody,
  WebhookBody,
  WebhookFailureBody,
  WebhookTestBody,
} from './webhook-schemas.ts';

const WEBHOOK: WebhookBody = {
  id: 'we_0123456789abcdef',
  url: 'https://shop.example/webhooks',
  types: ['transaction.completed'],
  label: 'shop',
  ordered: false,
  signing: 'v1',
  publicKey: null,
  state: 'enabled',
  disabledReason: null,
  disabledAt: null,
  createdAt: '2026-06-15T12:00:00.000Z',
  acknowledgedSequence: 13,
  headSequence: 13,
  failureCount: 0,
  failingSince: null,
};

const CREATED: CreatedWebhookBody = {
  ...WEBHOOK,
  secret: 'whsec_RVhBTVBMRSBFWEFNUExFIEVYQU1QTEUgRVhBTVBMRSE=',
};

const FAILURE: WebhookFailureBody = {
  sequence: 13,
  attempts: 2,
  firstFailedAt: '2026-06-15T12:00:00.000Z',
  lastFailedAt: '2026-06-15T12:00:05.000Z',
  nextAttemptAt: '2026-06-15T12:05:05.000Z',
  responseStatus: 500,
  error: 'the receiver answered 500',
};

const DELIVERED: WebhookTestBody = { delivered: true, status: 204, error: null, durationMs: 84 };
const REFUSED: WebhookTestBody = {
  delivered: false,
  status: 404,
  error: 'the receiver answered 404',
  durationMs: 71,
};

export const CREATED_WEBHOOK_EXAMPLES = {
  created: { summary: 'A new endpoint', value: CREATED },
} satisfies Record<string, Example>;
export const LISTED_WEBHOOKS_EXAMPLES = {
  one: {
    summary: 'An account with one endpoint',
    value: { data: [WEBHOOK], nextCursor: null, hasMore: false },
  },
} satisfies Record<string, Example>;
export const WEBHOOK_EXAMPLES = {
  enabled: { summary: 'An endpoint that gets changes', value: WEBHOOK },
} satisfies Record<string, Example>;
export const DISABLED_WEBHOOK_EXAMPLES = {
  disabled: {
    summary: 'Disabled by this request',
    value: {
      ...WEBHOOK,
      state: 'disabled',
      disabledReason: 'requested',
      disabledAt: '2026-06-15T12:00:00.000Z',
    },
  },
} satisfies Record<string, Example>;
export const REPLAYED_WEBHOOK_EXAMPLES = {
  fromTheFirst: {
    summary: 'Moved back to before the first change',
    value: { ...WEBHOOK, acknowledgedSequence: 0 },
  },
} satisfies Record<string, Example>;
export const ROTATED_SECRET_EXAMPLES = {
  rotated: {
    summary: 'A new secret',
    value: { secret: CREATED.secret, publicKey: null, previousSecretUntil: '2026-06-16T12:00:00.000Z' },
  },
} satisfies Record<string, Example>;
export const WEBHOOK_TEST_EXAMPLES = {
  delivered: { summary: 'The receiver accepted it', value: DELIVERED },
  refused: { summary: 'The receiver answered 404', value: REFUSED },
} satisfies Record<string, Example>;
export const FAILURE_EXAMPLES = {
  one: {
    summary: 'A change that failed twice',
    value: { data: [FAILURE], nextCursor: null, hasMore: false },
  },
} satisfies Record<string, Example>;
