import type { Authenticate } from '../../http/access/authenticate.ts';
import { type BodyFault, bodyFault } from '../../http/problems/body-fault.ts';
import { faultyFields, Problem } from '../../http/problems/problem.ts';
import type { ProblemCode } from '../../http/problems/problems.ts';
import { KEY_PROBLEMS, problemResponses } from '../../http/schemas/responses.ts';
import { readHead } from '../../ledger/changes/read-head.ts';
import { FaultList } from '../../values/fault-list.ts';
import type { EndpointName } from '../delivery-dependencies.ts';
import { formatWebhook } from '../format-webhook.ts';
import type { WebhookManagement } from '../manage-webhooks.ts';
import type { RunningTests } from '../running-tests.ts';
import type { Send } from '../send.ts';
import type { ListedWebhook } from '../webhook.ts';
import type { WebhookFault, WebhookRules } from '../webhook-fields.ts';
import { WEBHOOK_PROBLEM_EXAMPLES } from './webhook-problem-examples.ts';
import type { WebhookBody } from './webhook-schemas.ts';

export interface WebhookDependencies extends WebhookManagement {
  rules: WebhookRules;
  send: Send;
  onTestDelivered: (endpoint: EndpointName) => void;
  tests: RunningTests;
  monotonicMs: () => number;
  authenticate: Authenticate<'account'>;
}

export const WEBHOOKS_PATH = '/v1/webhooks';
export const WEBHOOK_PATH = `${WEBHOOKS_PATH}/:webhookId`;

export interface WebhookPath {
  webhookId: string;
}

/** The body of a request: null or undefined without one. */
export type JsonBody = Record<string, unknown> | null | undefined;

/** The codes of every operation on webhooks that has a body. */
export const BODY_PROBLEMS = ['invalid_body', 'unsupported_media_type', 'invalid_fields'] as const;

/** The code of every operation that leaves a body unread: a Content-Type that is no media type is refused. */
export const UNREAD_BODY_PROBLEMS = ['unsupported_media_type'] as const;

/** The error responses of an operation on webhooks: those that all of them have, and `codes`. */
export function webhookProblems(...codes: ProblemCode[]) {
  return problemResponses([...KEY_PROBLEMS, ...codes], {
    keysAreLimited: true,
    examples: {
      ...WEBHOOK_PROBLEM_EXAMPLES,
    },
  });
}

/** An endpoint, with the head of its account, which is read after it so that it is not smaller. */
export async function webhookBody(
  store: WebhookDependencies['store'],
  endpoint: ListedWebhook,
): Promise<WebhookBody> {
  return { ...formatWebhook(endpoint), headSequence: await readHead(store, endpoint.account) };
}

/** Throws: `invalid_body` without a body. */
export function requireBody(body: JsonBody): Record<string, unknown> {
  if (body === null || body === undefined)
    throw new Problem('invalid_body', 'The request has no body. Send a JSON object.');
  return body;
}

/**
 * The fields of a body.
 *
 * Throws: `invalid_fields` with every fault.
 */
export function requireFields<Fields>(
  parsed: { fields: Fields } | { faults: FaultList<WebhookFault> },
): Fields {
  if ('fields' in parsed) return parsed.fields;
  const faults = new FaultList<BodyFault>();
  for (const fault of parsed.faults.listed) faults.add(bodyFault(fault));
  faults.countUnlisted(parsed.faults.unlisted);
  throw faultyFields(faults);
}
