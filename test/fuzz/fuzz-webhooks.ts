import type { Random } from '../rig/run/random.ts';
import {
  body,
  type FuzzEnvironment,
  type FuzzRequest,
  headers,
  invalidValue,
  METHODS,
} from './fuzz-parts.ts';
import { mutated, STRANGE, variantOf } from './fuzz-values.ts';

const WEBHOOK = {
  url: 'https://shop.example/webhooks',
  types: ['transaction.completed'],
  label: 'till',
  ordered: false,
  state: 'enabled',
};

/** The fields of an endpoint. Some are absent, faulty or unknown. */
function invalidWebhook(random: Random): Record<string, unknown> {
  const webhook: Record<string, unknown> = { ...WEBHOOK };
  if (random.chance(0.6)) delete webhook['state'];
  for (let count = random.integer(0, 3); count > 0; count--) {
    const name = random.pick([...Object.keys(WEBHOOK), 'secret', random.pick(STRANGE)]);
    const choice = random.integer(0, 3);
    if (choice === 0) delete webhook[name];
    else if (choice === 1) webhook[name] = invalidValue(random);
    else webhook[name] = random.pick([['transaction.pending', 'x'], variantOf(random, WEBHOOK.url, 'x')]);
  }
  return webhook;
}

export function webhookRequest(random: Random, { accountKey, webhookId }: FuzzEnvironment): FuzzRequest {
  const id = encodeURIComponent(variantOf(random, webhookId, 'we_0000000000000000').toWellFormed());
  const sequence = encodeURIComponent(variantOf(random, '1', '0', '9007199254740992').toWellFormed());
  const [method, path, fields] = random.pick([
    ['POST', '', invalidWebhook(random)],
    ['POST', '', invalidWebhook(random)],
    ['GET', ''],
    ['GET', `/${id}`],
    ['PATCH', `/${id}`, invalidWebhook(random)],
    ['DELETE', `/${mutated(random, id)}`],
    ['POST', `/${id}/test`],
    ['POST', `/${id}/rotate-secret`],
    ['POST', `/${id}/replay`, { after: random.pick([0, 1, 24, 25, 26, '0', null, -1, 1.5, 2 ** 53]) }],
    ['GET', `/${id}/failures?cursor=${variantOf(random, 'A'.repeat(80), '7').toWellFormed()}`],
    ['POST', `/${id}/failures/${sequence}/retry`],
  ] as const);
  const hasBody = fields !== undefined || random.chance(0.1);
  return {
    to: 'public',
    method: random.chance(0.95) ? method : random.pick(METHODS),
    url: `/v1/webhooks${path}`,
    headers: {
      ...headers(random, accountKey, random.chance(0.9)),
      ...(hasBody && {
        'content-type': random.chance(0.95)
          ? 'application/json'
          : variantOf(random, 'application/json', 'text/csv'),
      }),
    },
    ...(hasBody && { payload: body(random, fields ?? {}) }),
  };
}
