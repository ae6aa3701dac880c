import type { Defect } from './defect.ts';

/** Faults of webhooks and of their deliveries. */
export const WEBHOOK_DEFECTS: Defect[] = [
  {
    name: 'webhook-secret-shown-again',
    broken: 'The list of endpoints shows their secrets.',
    check: 'webhooks.created',
    file: 'webhook.ts',
    edits: [
      [
        '    headSequence,\n    failureCount: failures',
        '    headSequence,\n    secret: webhook.secrets.at(-1)?.secret,\n    failureCount: failures',
      ],
    ],
  },
  {
    name: 'webhook-secret-of-another-form',
    broken: 'A secret has no prefix.',
    check: 'webhooks.created',
    file: 'webhook.ts',
    edits: [
      ["return `whsec_${randomBytes(32).toString('base64')}`", "return randomBytes(32).toString('hex')"],
    ],
  },
  {
    name: 'endpoints-without-pages',
    broken: 'A collection has data alone.',
    check: 'webhooks.pages',
    file: 'page.ts',
    edits: [['body: { data, nextCursor: null, hasMore: false }', 'body: { data }']],
  },
  {
    name: 'too-many-webhooks-as-a-conflict',
    broken: 'One endpoint too many is 409.',
    check: 'webhooks.limit',
    file: 'problem.ts',
    edits: [['too_many_webhooks: [429', 'too_many_webhooks: [409']],
  },
  {
    name: 'webhook-deleted-with-a-body',
    broken: 'DELETE of an endpoint is 200 with the endpoint.',
    check: 'webhooks.deleted',
    file: 'routes/webhooks.ts',
    edits: [['  return { status: 204 };', '  return { status: 200, body: show(call.service, webhook) };']],
  },
  {
    name: 'webhook-replaced',
    broken: 'PATCH resets the fields that it does not have.',
    check: 'webhooks.changed',
    file: 'routes/webhooks.ts',
    edits: [
      [
        '  Object.assign(webhook, fields);',
        '  Object.assign(webhook, { label: null, types: null }, fields);',
      ],
    ],
  },
  {
    name: 'webhook-deleted-later',
    broken: 'A deleted endpoint is still there.',
    check: 'webhooks.deleted',
    file: 'routes/webhooks.ts',
    edits: [['  call.service.webhooks.splice(call.service.webhooks.indexOf(webhook), 1);\n', '']],
  },
  {
    name: 'webhook-url-unchecked',
    broken: 'Any text is accepted as the URL of an endpoint.',
    check: 'webhooks.invalid',
    file: 'routes/webhooks.ts',
    edits: [['isUrl(url, allowsLoopback)', "typeof url === 'string'"]],
  },
  {
    name: 'webhook-types-unchecked',
    broken: 'types can be a text.',
    check: 'webhooks.invalid',
    file: 'routes/webhooks.ts',
    edits: [
      ["check('types', types, areTypes,", "check('types', types, areTypes || typeof types === 'string',"],
    ],
  },
  {
    name: 'webhook-secret-kept',
    broken: 'Rotating returns the secret before.',
    check: 'webhooks.rotated',
    file: 'routes/webhooks.ts',
    edits: [
      [
        'const [secret, untilMs] = [newSecret(),',
        "const [secret = '', untilMs] = [webhook.secrets.at(-1)?.secret,",
      ],
    ],
  },
  {
    name: 'webhook-of-another-account',
    broken: 'An endpoint of another account can be read.',
    check: 'webhooks.isolation',
    file: 'routes/webhooks.ts',
    edits: [
      ["one.id === path['id'] && one.account === account", "one.id === path['id'] && one.account !== ''"],
    ],
  },
  {
    name: 'webhooks-of-all-accounts',
    broken: 'The list has the endpoints of all accounts.',
    check: 'webhooks.isolation',
    file: 'routes/webhooks.ts',
    edits: [
      [
        'const own = call.service.webhooks.filter((one) => one.account === call.account);',
        "const own = call.service.webhooks.filter((one) => one.account !== '');",
      ],
    ],
  },
  {
    name: 'webhooks-with-any-key',
    broken: 'A key with the scope read can manage endpoints.',
    check: 'webhooks.scope',
    file: 'authenticate.ts',
    edits: [['!stored.scopes.includes(scope)', "scope === 'read' && !stored.scopes.includes(scope)"]],
  },
  {
    name: 'delivery-unsigned',
    broken: 'The signature is made with the text of the secret, not with its bytes.',
    check: 'deliveries.signed',
    file: 'webhook.ts',
    edits: [["Buffer.from(secret.slice('whsec_'.length), 'base64')", 'Buffer.from(secret)']],
  },
  {
    name: 'delivery-signature-of-body',
    broken: 'The signature is that of the body alone.',
    check: 'deliveries.signed',
    file: 'webhook.ts',
    edits: [['`${id}.${timestamp}.${body}`', 'body']],
  },
  {
    name: 'delivery-of-the-transaction',
    broken: 'A delivery has the transaction in place of the change.',
    check: 'deliveries.signed',
    file: 'deliver.ts',
    edits: [['data: event,', 'data: event.transaction,']],
  },
  {
    name: 'delivery-with-new-ids',
    broken: 'Each attempt has another webhook-id.',
    check: 'deliveries.retried',
    file: 'deliver.ts',
    edits: [['const { id } = change;', 'const id = `${change.id}_${service.now()}`;']],
  },
  {
    name: 'delivery-follows-redirects',
    broken: 'A redirect is followed.',
    check: 'deliveries.no-redirect',
    file: 'deliver.ts',
    edits: [
      [
        '  response.destroy();\n  return response.statusCode ?? 0;',
        '  response.destroy();\n  const { location } = response.headers;\n  return location ? post(new URL(location, url).href, headers, body, allowsLoopback) : (response.statusCode ?? 0);',
      ],
    ],
  },
  {
    name: 'delivery-of-all-types',
    broken: 'types is ignored.',
    check: 'deliveries.types',
    file: 'deliver.ts',
    edits: [['if (webhook.types !== null && !webhook.types.includes(event.type)) return;', '']],
  },
  {
    name: 'replay-with-new-ids',
    broken: 'A replay has other ids.',
    check: 'deliveries.replayed',
    file: 'deliver.ts',
    edits: [['const { id } = change;', 'const id = `${change.id}_${String(Math.random()).slice(2)}`;']],
  },
  {
    name: 'replay-from-the-head',
    broken: 'A replay delivers nothing.',
    check: 'deliveries.replayed',
    file: 'routes/webhooks.ts',
    edits: [
      [
        '  webhook.acknowledgedSequence = after;',
        '  webhook.acknowledgedSequence = Math.max(after, webhook.acknowledgedSequence);',
      ],
    ],
  },
  {
    name: 'metadata-answers',
    broken: 'A test of an endpoint with a metadata address has the status of a response.',
    check: 'webhooks.special-addresses',
    file: 'deliver.ts',
    edits: [
      [
        '    return { delivered: false, status: null, error: String(error) };',
        "    return { delivered: false, status: webhook.url.includes('169.254') ? 200 : null, error: String(error) };",
      ],
    ],
  },
  {
    name: 'delivery-with-own-id',
    broken: 'A delivery has an id of its own in place of that of its change.',
    check: 'deliveries.change-id',
    file: 'deliver.ts',
    edits: [['const { id } = change;', 'const id = `msg_${webhook.account}_${change.sequence}`;']],
    options: { allowsLoopback: true },
  },
];
