import { readJson } from '../body.ts';
import { deliverSoon, disable, sendTest } from '../deliver.ts';
import { randomLetters } from '../keys.ts';
import { showPage } from '../page.ts';
import { Problem } from '../problem.ts';
import type { FieldFault } from '../record.ts';
import type { Answer, Call } from '../service.ts';
import { formatTime } from '../times.ts';
import { newSecret, showFailure, showWebhook, type Webhook } from '../webhook.ts';

const MAX_WEBHOOKS = 20;
const OVERLAP_MS = 86_400_000;

/** `POST /v1/webhooks`: the only response that shows the secret. */
export async function createWebhook({ service, account, request }: Call): Promise<Answer> {
  const body = await readJson(request);
  const fields = readFields(body, service.allowsLoopback, ['url']);
  if (service.webhooks.filter((one) => one.account === account).length >= MAX_WEBHOOKS) {
    throw new Problem('too_many_webhooks', `An account has ${MAX_WEBHOOKS} endpoints at most`);
  }
  const secret = newSecret();
  const webhook: Webhook = {
    id: `we_${randomLetters(16)}`,
    account,
    url: fields.url ?? '',
    types: fields.types ?? null,
    label: fields.label ?? null,
    ordered: fields.ordered ?? false,
    disabledReason: null,
    disabledAtMs: null,
    createdAtMs: service.now(),
    secrets: [{ secret, untilMs: Infinity }],
    acknowledgedSequence: service.ledger(account).headSequence,
    failures: new Map(),
  };
  service.webhooks.push(webhook);
  deliverSoon(service, webhook);
  return { status: 201, body: { ...show(service, webhook), secret } };
}

/** `GET /v1/webhooks` */
export function listWebhooks(call: Call): Answer {
  const own = call.service.webhooks.filter((one) => one.account === call.account);
  return showPage(call, 'webhooks', own, {
    idOf: ({ id }) => id,
    show: (webhook) => show(call.service, webhook),
  });
}

/** `GET /v1/webhooks/{id}` */
export function readWebhook(call: Call): Answer {
  return { status: 200, body: show(call.service, find(call)) };
}

/** `PATCH /v1/webhooks/{id}`: a field that is absent stays as it is. */
export async function changeWebhook(call: Call): Promise<Answer> {
  const webhook = find(call);
  const { state, ...fields } = readFields(await readJson(call.request), call.service.allowsLoopback, []);
  Object.assign(webhook, fields);
  if (state === 'disabled' && webhook.disabledReason === null)
    disable(webhook, 'requested', call.service.now());
  if (state === 'enabled') Object.assign(webhook, { disabledReason: null, disabledAtMs: null });
  deliverSoon(call.service, webhook);
  return { status: 200, body: show(call.service, webhook) };
}

/** `DELETE /v1/webhooks/{id}` */
export function deleteWebhook(call: Call): Answer {
  const webhook = find(call);
  disable(webhook, 'requested', call.service.now());
  call.service.webhooks.splice(call.service.webhooks.indexOf(webhook), 1);
  return { status: 204 };
}

/** `POST /v1/webhooks/{id}/test` */
export async function testWebhook(call: Call): Promise<Answer> {
  const beganAtMs = call.service.now();
  const attempt = await sendTest(call.service, find(call));
  return { status: 200, body: { ...attempt, durationMs: call.service.now() - beganAtMs } };
}

/** `POST /v1/webhooks/{id}/replay`: the position moves back, and failures after it are delivered again too. */
export async function replayWebhook(call: Call): Promise<Answer> {
  const webhook = find(call);
  const { after } = await readJson(call.request);
  const { headSequence } = call.service.ledger(call.account);
  if (typeof after !== 'number' || !Number.isInteger(after) || after < 0 || after > headSequence) {
    throw invalid([
      { pointer: '/after', code: 'invalid_value', detail: `is not a number from 0 to ${headSequence}` },
    ]);
  }
  webhook.acknowledgedSequence = after;
  for (const sequence of [...webhook.failures.keys()])
    if (sequence > after) webhook.failures.delete(sequence);
  deliverSoon(call.service, webhook);
  return { status: 200, body: show(call.service, webhook) };
}

/** `POST /v1/webhooks/{id}/rotate-secret`: the secret before signs too for a day. */
export function rotateSecret(call: Call): Answer {
  const webhook = find(call);
  const [secret, untilMs] = [newSecret(), call.service.now() + OVERLAP_MS];
  const last = webhook.secrets.at(-1);
  webhook.secrets = [...(last === undefined ? [] : [{ ...last, untilMs }]), { secret, untilMs: Infinity }];
  return { status: 200, body: { secret, previousSecretUntil: formatTime(untilMs) } };
}

/** `GET /v1/webhooks/{id}/failures` */
export function listFailures(call: Call): Answer {
  const webhook = find(call);
  const failures = [...webhook.failures.values()].sort((a, b) => a.sequence - b.sequence);
  return showPage(call, `failures of ${webhook.id}`, failures, {
    idOf: ({ sequence }) => `${sequence}`,
    show: showFailure,
  });
}

/** `POST /v1/webhooks/{id}/failures/{sequence}/retry` */
export function retryFailure(call: Call): Answer {
  const webhook = find(call);
  const failure = webhook.failures.get(Number(call.path['sequence']));
  if (failure === undefined) throw new Problem('not_found', 'There is no such failure');
  failure.nextAttemptAtMs = call.service.now();
  deliverSoon(call.service, webhook);
  return { status: 202, body: showFailure(failure) };
}

type Fields = {
  url?: string;
  types?: string[] | null;
  label?: string | null;
  ordered?: boolean;
  state?: string;
};

function readFields(body: Record<string, unknown>, allowsLoopback: boolean, required: string[]): Fields {
  const { url, types, label, ordered, state, ...others } = body;
  const faults: FieldFault[] = [];
  const check = (pointer: string, value: unknown, isRight: boolean, detail: string) => {
    if (value === undefined ? required.includes(pointer) : !isRight)
      faults.push({ pointer: `/${pointer}`, code: 'invalid_value', detail });
  };
  for (const name of Object.keys(others))
    faults.push({ pointer: `/${name}`, code: 'unknown_field', detail: 'is not a field' });
  check(
    'url',
    url,
    isUrl(url, allowsLoopback),
    'must begin with https://, and have no user name or fragment',
  );
  const areTypes = types === null || (Array.isArray(types) && types.length > 0 && types.every(isType));
  check('types', types, areTypes, 'is not a list of types such as transaction.completed');
  const isLabel = label === null || (typeof label === 'string' && label.length <= 100);
  check('label', label, isLabel, 'has more than 100 characters');
  check('ordered', ordered, typeof ordered === 'boolean', 'is neither true nor false');
  const isState = state === 'enabled' || state === 'disabled';
  check('state', state, isState && !required.includes('url'), 'is neither enabled nor disabled');
  if (faults.length > 0) throw invalid(faults);
  return Object.fromEntries(Object.entries(body)) as Fields;
}

function isType(type: unknown): boolean {
  return typeof type === 'string' && /^transaction\.[a-z_]+$/.test(type);
}

function isUrl(text: unknown, allowsHttp: boolean): boolean {
  if (typeof text !== 'string' || text.length > 2048 || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (
    (protocol === 'https:' || (allowsHttp && protocol === 'http:')) && `${username}${password}${hash}` === ''
  );
}

function find({ service, account, path }: Call): Webhook {
  const webhook = service.webhooks.find((one) => one.id === path['id'] && one.account === account);
  if (webhook === undefined) throw new Problem('not_found', 'There is no such endpoint');
  return webhook;
}

function show(service: Call['service'], webhook: Webhook): object {
  return showWebhook(webhook, service.ledger(webhook.account).headSequence);
}

function invalid(errors: FieldFault[]): Problem {
  const detail = errors.map((fault) => `${fault.pointer} ${fault.detail}`).join('; ');
  return new Problem('invalid_fields', detail, { errors });
}
