import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, findEntries, termsOf } from '../../web/documents/search-entries.ts';
import { MONTHS } from '../../web/documents/synonyms.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const app = await buildTestApp();
const operatorApp = await buildTestOperatorApp(app.store, app.clock);

/** Searches by readers of each listener, and where the result is. Each synonym is in one of them. */
const SOUGHT = {
  public: {
    ai: '/guides/assistants',
    balance: '/guides/using-the-api#totals',
    callback: '/guides/webhooks',
    compromised: '/guides/using-the-api#a-leaked-or-lost-key',
    'order number': '/guides/using-the-api#an-order-number',
    'PHP signature': '/guides/webhooks#what-arrives',
    sandbox: '/guides/using-the-api',
    'sign-in': '/guides/looking-at-transactions#signing-in',
    'truncated export': '/guides/using-the-api#exporting-everything',
    ...Object.fromEntries(MONTHS.map((month) => [`close ${month}`, '/guides/closing-a-month'])),
    cdc: '/guides/change-feed',
    chatgpt: '/guides/assistants',
    LLM: '/guides/assistants',
    'duplicate POST': '/guides/specification#post-v1accountsaccounttransactions',
    'download a file': '/guides/looking-at-transactions#saving-a-file',
    'how do I log in?': '/guides/looking-at-transactions#signing-in',
    idempotent: '/errors/idempotency_key_missing',
    jpy: '/guides/using-the-api#money-and-time',
    'list statuses': '/guides/using-the-api#all-statuses',
    logon: '/guides/looking-at-transactions#signing-in',
    'manipulated payments': '/guides/auditing',
    notifications: '/guides/webhooks',
    paginate: '/guides/using-the-api#reading-all-pages',
    paging: '/guides/using-the-api#reading-all-pages',
    quota: '/guides/specification#limits',
    'revenue of a month': '/guides/closing-a-month#1-the-totals',
    'rotate the secret': '/guides/webhooks#rotating-the-secret',
    SDK: '/guides/client',
    signin: '/guides/looking-at-transactions#signing-in',
    'subscribe to changes': '/guides/using-the-api#following-changes',
    'sum of a month': '/guides/closing-a-month',
    tamper: '/guides/auditing#what-a-seal-does-not-show',
    throttled: '/guides/specification#limits',
    timezones: '/guides/looking-at-transactions#days-of-your-time-zone',
    token: '/docs/retrieveKey',
    too_many_webhooks: '/errors/too_many_webhooks',
    'forged payments': '/guides/auditing',
  },
  operator: {
    'a key that was compromised': '/guides/operating#keys',
    cutover: '/guides/moving#2-move',
    'sqlite to postgresql': '/guides/moving',
    'how much RAM': '/guides/sizing#estimate-for-10-million-rows',
    'single sign-on': '/guides/staff',
    bulk: '/guides/operating#imports',
    config: '/guides/settings',
    configuration: '/guides/settings',
    'deploy with docker': '/guides/operating#containers',
    'disaster recovery': '/guides/backup#backup-and-restore',
    downgrade: '/guides/operating#upgrading-and-back',
    employees: '/guides/staff',
    'environment variables': '/guides/settings',
    'erase a merchant': '/guides/operating#deleting-an-account',
    'forget a customer': '/guides/operating#deleting-an-account',
    HA: '/guides/postgresql#failover-and-replicas',
    hardware: '/guides/sizing',
    'helm chart': '/guides/operating#containers',
    'high availability': '/guides/postgresql#failover-and-replicas',
    'how do I build a release': '/guides/releasing',
    'how do I upgrade': '/guides/operating#upgrading-and-back',
    k8s: '/guides/operating#containers',
    latency: '/guides/performance',
    'migrate to another database': '/guides/moving',
    'password of a merchant': '/guides/recording#keys',
    privacy: '/guides/operating#deleting-an-account',
    'prometheus scrape': '/guides/operating#monitoring',
    'purge tenants': '/guides/operating#deleting-an-account',
    'remove an account': '/guides/operating#deleting-an-account',
    retention: '/guides/operating#archiving-old-transactions',
    rollback: '/guides/operating#upgrading-and-back',
    'rotate keys': '/guides/operating#keys',
    'setup on debian': '/guides/operating#one-machine-sqlite',
    SSL: '/guides/postgresql#tls',
    SSO: '/guides/staff#set-up',
    'update the service': '/guides/operating#upgrading-and-back',
    users: '/guides/people',
  },
} as const;

/** Searches whose result must be among the first three. */
const FIRST = {
  public: {
    CORS: '/guides/using-the-api#from-a-browser-cors',
    'daylight saving': '/guides/looking-at-transactions#days-of-your-time-zone',
    'ip allowlist': '/guides/webhooks#behind-a-firewall',
    'leaked key': '/guides/using-the-api#a-leaked-or-lost-key',
    'negative amounts': '/guides/using-the-api#money-and-time',
    'nothing was lost': '/guides/change-feed#checking-that-a-copy-lost-nothing',
    'test webhooks locally': '/guides/webhooks#testing-webhooks-locally',
    'webhook timeout': '/guides/webhooks#when-a-delivery-fails',
  },
  operator: {
    'database url': '/guides/settings#database_url',
    'idempotency key expiry': '/guides/recording#one-transaction-with-an-idempotency-key',
    'leaked key': '/guides/operating#keys',
    'negative amounts': '/guides/using-the-api#money-and-time',
    'nothing was lost': '/guides/change-feed#checking-that-a-copy-lost-nothing',
    'personal data': '/guides/recording#details-what-a-payment-is-to-its-merchant',
    'rate limit setting': '/guides/settings#rate_limit',
    'rotate cursor secret': '/guides/settings#cursor_secrets',
    SAML: '/guides/staff#saml-and-two-factors',
    'two factors': '/guides/staff#saml-and-two-factors',
  },
} as const;

for (const [listener, { server }] of Object.entries({ public: app, operator: operatorApp }))
  test(`a search of the ${listener} pages finds what readers seek by their own words`, async () => {
    const entries: Entry[] = (await server.inject('/guides/search.json')).json();
    for (const [sought, seen] of [
      [SOUGHT, 5],
      [FIRST, 3],
    ] as const) {
      const missing = Object.entries(sought[listener as keyof typeof sought]).flatMap(([query, address]) => {
        const found = findEntries(entries, termsOf(query)).found.map((one) => one.address);
        return found.slice(0, seen).includes(address) ? [] : [{ query, address, found }];
      });
      assert.deepEqual(missing, []);
    }
  });
