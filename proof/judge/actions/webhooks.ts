import { createHmac } from 'node:crypto';
import { type Account, type Action, begin, ended, ofOne, type Round, untilAnswered } from '../account.ts';
import type { Instance, Received } from '../driver.ts';
import type { Change } from '../history.ts';
import { type Answer, jsonOf } from '../http.ts';

const HANGS_MS = 1500;
const DELIVERED_MS = 300_000;
/** If nothing was delivered for this long, the judge asks the service to retry failed changes now. */
const RETRIED_MS = 10_000;
const MOST = 2;

const asAccount =
  ({ driver }: Round, { key }: Account, path: string, method = 'GET', body?: object) =>
  ({ url }: Instance): Promise<Answer> =>
    driver.send(`${url}/v1/webhooks${path}`, { method, key, ...jsonOf(body) });

async function makeEndpoint(round: Round, account: Account): Promise<void> {
  const { chance, history, inbox } = round;
  let place = '';
  const types = chance.is(30) ? ['transaction.completed'] : null;
  const ordered = chance.is(40);
  const begun = begin(round, account);
  const answer = await untilAnswered(round, (instance) => {
    // An attempt without a response may have created an endpoint, so each attempt has an address of its own.
    place = `${account.name}/${account.life}/${++round.named}`;
    const body = { url: `${inbox}/${place}`, types, ordered };
    return asAccount(round, account, '', 'POST', body)(instance);
  });
  if (answer.status !== 201)
    return history.wrong(account.name, `an endpoint got ${answer.status}: ${answer.text}`);
  const { id, secret, acknowledgedSequence: after } = JSON.parse(answer.text);
  account.endpoints.push({ id, secret, place, after });
  history.add({ op: 'endpoint', ...ended(round, begun), id, after, types, isOrdered: ordered });
  for (const { received, timed } of round.early.get(`/${place}`) ?? [])
    history.add({ op: 'delivery', ...timed, ...seenOf({ id, secret }, received), isAccepted: true });
}

const isSigned = (secret: string, { headers, body }: Received): boolean => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
};

function seenOf({ id, secret }: { id: string; secret: string }, received: Received) {
  const { data: change } = JSON.parse(received.body) as { data: Change };
  const webhookId = received.headers['webhook-id'] ?? '';
  return { endpoint: id, webhookId, change, isSigned: isSigned(secret, received) };
}

/** The receiver refuses or ignores some changes at first. It accepts each change by the second attempt. */
export function receiver(round: Round): (received: Received) => Promise<number | undefined> {
  const refused = new Set<string>();
  return async (received) => {
    const { chance, history, accounts, driver } = round;
    for (const account of accounts) {
      const endpoint = account.endpoints.find(({ place }) => received.path === `/${place}`);
      if (endpoint === undefined) continue;
      const begun = begin(round, account);
      const webhookId = received.headers['webhook-id'] ?? '';
      const once = `${endpoint.id} ${webhookId}`;
      const isAccepted = round.isCalm || refused.has(once) || chance.is(90);
      refused.add(once);
      if (!isAccepted && chance.is(30)) await driver.delay(HANGS_MS);
      const timed = ended(round, begun);
      history.add({ op: 'delivery', ...timed, ...seenOf(endpoint, received), isAccepted });
      return isAccepted ? chance.pick([200, 202, 204]) : chance.pick([500, 503, 400, undefined]);
    }
    const account = accounts.find(({ name }) => received.path.startsWith(`/${name}/`));
    const early = round.early.get(received.path) ?? [];
    if (account !== undefined) early.push({ received, timed: ended(round, begin(round, account)) });
    round.early.set(received.path, early);
    return 200;
  };
}

export async function retryFailures(round: Round, account: Account): Promise<void> {
  for (const { id } of account.endpoints) {
    const request = (path: string, method: string) =>
      untilAnswered(round, asAccount(round, account, `/${id}/${path}`, method));
    const failures = await request('failures', 'GET');
    if (failures.status !== 200)
      return round.history.wrong(account.name, `failures got ${failures.status}: ${failures.text}`);
    for (const { sequence } of JSON.parse(failures.text).data) {
      const retried = await request(`failures/${sequence}/retry`, 'POST');
      if (retried.status !== 202 && retried.status !== 404)
        return round.history.wrong(account.name, `a retry got ${retried.status}: ${retried.text}`);
    }
  }
}

async function replay(round: Round, account: Account): Promise<void> {
  const { id, after } = round.chance.pick(account.endpoints);
  await untilAnswered(round, asAccount(round, account, `/${id}/replay`, 'POST', { after }));
}

/** Call this only while no recording is in flight. */
export async function untilDelivered(round: Round, account: Account): Promise<void> {
  const { driver, history } = round;
  const begun = driver.nowMs();
  let retriedMs = begun;
  for (const { id } of account.endpoints) {
    for (;;) {
      const looked = begin(round, account);
      const answer = await untilAnswered(round, asAccount(round, account, `/${id}`));
      if (answer.status !== 200)
        return history.wrong(account.name, `an endpoint got ${answer.status}: ${answer.text}`);
      const { acknowledgedSequence: upTo, headSequence, failureCount } = JSON.parse(answer.text);
      if (upTo === headSequence && failureCount === 0) {
        history.add({ op: 'arrived', ...ended(round, looked), endpoint: id, upTo });
        break;
      }
      if (driver.nowMs() > begun + DELIVERED_MS)
        return history.wrong(account.name, `deliveries do not reach the head: ${answer.text}`);
      if (driver.nowMs() > retriedMs + RETRIED_MS) {
        retriedMs = driver.nowMs();
        await retryFailures(round, account);
      }
      await driver.delay(200);
    }
  }
}

export const WEBHOOKS: readonly Action[] = [
  {
    name: 'make an endpoint',
    weight: 6,
    isPossible: ({ inbox }) => inbox !== undefined,
    run: ofOne(makeEndpoint, ({ endpoints }) => endpoints.length < MOST),
  },
  { name: 'replay', weight: 1, run: ofOne(replay, ({ endpoints }) => endpoints.length > 0) },
];
