import type { Corruption } from './corruptions.ts';

const WEBHOOK = 'webhook we_0000000000000001';
const setWebhook = (values: string) => `UPDATE webhook_endpoints SET ${values} WHERE account = 'store-1'`;
const webhookWith = (found: string) => `store-1, ${WEBHOOK}: ${found}`;
const failureWith = (sequence: number, found: string, account = 'store-1') =>
  `${account}, failure of change ${sequence} of ${WEBHOOK}: ${found}`;

export const OF_WEBHOOKS: readonly Corruption[] = [
  {
    name: 'a webhook has acknowledged more changes than there are',
    sql: setWebhook('acknowledged_sequence = 8'),
    reported: [webhookWith('acknowledged_sequence 8')],
  },
  {
    name: 'a failure is of a change that is beyond the head',
    sql: 'UPDATE webhook_failures SET sequence = 8 WHERE sequence = 5',
    reported: [failureWith(8, 'sequence 8')],
  },
  {
    name: 'failures whose webhook is missing',
    sql: `DELETE FROM webhook_endpoints WHERE account = 'store-1'`,
    reported: [failureWith(4, 'no webhook'), failureWith(5, 'no webhook')],
  },
  {
    name: 'a failure of an account without changes',
    sql: `UPDATE webhook_failures SET account = 'ghost' WHERE sequence = 4`,
    reported: [failureWith(4, 'sequence 4', 'ghost'), failureWith(4, 'no webhook', 'ghost')],
  },
  {
    name: 'secrets and the address of a webhook are of another form, and are not shown',
    sql: setWebhook(`secret = 'tk_live_1', previous_secret = 'whsec_1', url = 'ftp://user:word@example.com'`),
    reported: ['secret', 'previous_secret', 'url'].map((column) => webhookWith(`${column} of another form`)),
  },
  {
    name: 'types of a webhook are no types',
    sql: setWebhook(`types = '["transaction.Paid!"]'`),
    reported: [webhookWith(String.raw`types "[\"transaction.Paid!\"]"`)],
  },
  {
    name: 'types of a webhook are cut off',
    sql: setWebhook(`types = '["transaction.co'`),
    reported: [webhookWith(String.raw`types "[\"transaction.co"`)],
  },
  {
    name: 'a webhook is disabled without a time, lacks its previous secret and was replayed by a later version',
    sql: setWebhook(`disabled_reason = 'gone', previous_secret = NULL, replay_version = 9`),
    reported: [
      webhookWith('disabled_reason gone with disabled_at_ms null'),
      webhookWith('a previous secret that is missing'),
      webhookWith('replay_version 9'),
    ],
  },
  {
    name: 'a failure without an attempt, with a status that is none',
    sql: 'UPDATE webhook_failures SET attempts = 0, response_status = 99 WHERE sequence = 4',
    reported: [failureWith(4, 'attempts 0'), failureWith(4, 'response_status 99')],
  },
  {
    name: 'an instance that serves with settings that are no object',
    sql: `UPDATE instances SET settings = '[]'`,
    reported: ['serving instance one: settings "[]"'],
  },
  {
    name: 'the lease of webhooks is that of an instance without a name',
    sql: `UPDATE webhook_lease SET instance = ''`,
    reported: ['webhook lease: instance ""'],
  },
];
