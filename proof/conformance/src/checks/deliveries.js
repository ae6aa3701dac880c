import { createHmac, createPublicKey, verify } from 'node:crypto';
import { changesOf, readChanges } from '../feed.js';
import { Receiver } from '../receiver.js';
import { valuesOf } from '../transaction.js';
import { checksOf } from './check.js';

/** @import { Delivery } from '../receiver.js' */

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const FIRST_MS = 20_000;
const RETRY_MS = 40_000;

export default checksOf({ level: 'webhooks', section: 'webhooks', needs: 'operator' }, [
  {
    id: 'deliveries.signed',
    rule: 'A change arrives as a POST of type, timestamp and data, which is the change of the feed. Its id is the webhook-id, and it is signed as Standard Webhooks specify.',
    run: (t) =>
      withReceiver(t, {}, async ({ account, receiver, secret }) => {
        const row = await account.record('pay_1');
        await arrived(t, receiver, 1);
        const [delivery] = receiver.deliveries;
        const { type, timestamp, data } = JSON.parse(delivery.text);
        t.same([type, data.sequence, data.previousStatus], ['transaction.pending', 1, null], 'the change');
        t.same(valuesOf(data.transaction), valuesOf(row), 'the transaction');
        const page = await readChanges(account.client, {});
        const [{ id }] = changesOf(page).data;
        t.same([delivery.headers['webhook-id'], data.id], [id, id], 'the id of the change', page);
        t.that(!Number.isNaN(Date.parse(timestamp)), 'a time in timestamp', String(timestamp));
        judgeSignature(t, delivery, secret);
      }),
  },
  {
    id: 'deliveries.public-key',
    requirement: 'MAY',
    rule: 'With v1a, deliveries are signed with Ed25519: publicKey verifies them, and no response has a secret, also after a rotation.',
    run: (t) =>
      withReceiver(t, { signing: 'v1a' }, async ({ account, receiver, id, secret, publicKey }) => {
        t.same(secret, null, 'secret of the new endpoint');
        await account.record('pay_1');
        await arrived(t, receiver, 1);
        const rotate = `/v1/webhooks/${id}/rotate-secret`;
        const rotated = t.status(await account.client.json('POST', rotate, {}), 200);
        t.same(rotated.body.secret, null, 'secret of a rotation', rotated);
        const [first] = receiver.deliveries;
        let last = first;
        // Another instance may still sign with the old key, so up to nine more changes are recorded.
        for (let count = 2; count <= 10 && !isSignedByKey(last, rotated.body.publicKey); count++) {
          await account.record(`pay_${count}`);
          await arrived(t, receiver, count);
          last = receiver.deliveries[count - 1];
          await new Promise((resolve) => setTimeout(resolve, 50 * (count - 2)));
        }
        for (const [delivery, key] of [
          [first, publicKey],
          [last, publicKey],
          [last, rotated.body.publicKey],
        ])
          t.that(isSignedByKey(delivery, key), `a signature v1a that ${key} verifies`, signatureOf(delivery));
        const isOther = !isSignedByKey(first, rotated.body.publicKey);
        t.that(isOther, 'another key after a rotation', String(rotated.body.publicKey));
      }),
  },
  {
    id: 'deliveries.retried',
    rule: 'A delivery that is not answered with 2xx is attempted again, with the same webhook-id and body; a redirect is not followed, and does not count as a success.',
    run: (t) =>
      t.each([500, 302], (status) =>
        withReceiver(t, {}, async ({ account, receiver, secret }) => {
          receiver.statuses = [status];
          await account.record('pay_1');
          await arrived(t, receiver, 2, RETRY_MS);
          const [first, second] = receiver.deliveries.map(({ headers, text, path }) => [
            headers['webhook-id'],
            text,
            path,
          ]);
          t.same(second, first, `id, body and path of the attempt after a ${status}`);
          judgeSignature(t, receiver.deliveries[1], secret);
        }),
      ),
  },
  {
    id: 'deliveries.types',
    rule: 'An endpoint with types gets only changes of these types.',
    run: (t) =>
      withReceiver(t, { types: ['transaction.completed'] }, async ({ account, receiver }) => {
        const row = await account.record('pay_1');
        await account.record('pay_2');
        await account.pay(row);
        await arrived(t, receiver, 1);
        t.same(
          receiver.deliveries.map(({ text }) => [JSON.parse(text).type, JSON.parse(text).data.sequence]),
          [['transaction.completed', 3]],
          'the deliveries',
        );
      }),
  },
  {
    id: 'deliveries.replayed',
    rule: 'A replay delivers the changes after a number again, each with its old webhook-id.',
    run: (t) =>
      withReceiver(t, {}, async ({ account, receiver, id }) => {
        await account.record('pay_1');
        await account.record('pay_2');
        await arrived(t, receiver, 2);
        const ids = new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id']));
        t.status(await account.client.json('POST', `/v1/webhooks/${id}/replay`, { after: 0 }), 200);
        await arrived(t, receiver, 4);
        t.same(
          receiver.deliveries.slice(2).map(({ headers }) => ids.has(headers['webhook-id'])),
          [true, true],
          'known ids',
        );
        t.same(ids.size, 2, 'ids of two changes');
      }),
  },
]);

/** @param {Context} t @param {Receiver} receiver @param {number} count */
async function arrived(t, receiver, count, withinMs = FIRST_MS) {
  const isThere = await receiver.waitFor(count, withinMs);
  t.that(isThere, `${count} deliveries in ${withinMs / 1000} s`, `${receiver.deliveries.length}`);
}

/** @param {Delivery} delivery */
const signatureOf = ({ headers }) => String(headers['webhook-signature']);
/** @param {Delivery} delivery */
const signedText = ({ headers, text }) => `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;

/** @param {Delivery} delivery @param {unknown} publicKey `whpk_` and base64 */
function isSignedByKey(delivery, publicKey) {
  const [, base64] = /^whpk_([A-Za-z\d+/]{43}=)$/.exec(String(publicKey)) ?? [];
  if (base64 === undefined) return false;
  const x = Buffer.from(base64, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(signedText(delivery));
  return signatureOf(delivery)
    .split(' ')
    .some((one) => one.startsWith('v1a,') && verify(null, signed, key, Buffer.from(one.slice(4), 'base64')));
}

/** @param {Context} t @param {Delivery} delivery @param {string} secret */
function judgeSignature(t, delivery, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(signedText(delivery)).digest('base64');
  const isSigned = signatureOf(delivery).split(' ').includes(`v1,${signature}`);
  t.that(isSigned, 'a signature v1 over id, timestamp and body', signatureOf(delivery));
}

/**
 * @typedef {{ account: OwnAccount, receiver: Receiver, id: string, secret: string,
 *   publicKey?: string | null }} Endpoint
 * @param {Context} t @param {object} fields @param {(endpoint: Endpoint) => Promise<void>} judge
 */
async function withReceiver(t, fields, judge) {
  if (!LOOPBACK.includes(new URL(t.client.url).hostname))
    t.notJudged('the deployment is on another machine, which cannot reach a receiver of the kit');
  const account = await t.account('deliveries', ['read', 'webhooks']);
  const receiver = new Receiver();
  try {
    const url = await receiver.listen();
    const made = await account.client.json('POST', '/v1/webhooks', { url, ...fields });
    if (made.status === 404) t.notJudged('the deployment has no /v1/webhooks');
    if (made.status === 422)
      t.notJudged(
        'the deployment does not deliver to this machine (WEBHOOK_NETWORKS, WEBHOOK_HTTP), or has no such endpoints',
      );
    t.status(made, 201, 'a new endpoint');
    const { id, secret, publicKey } = made.body;
    if (secret !== null) t.deployment.secrets.add(secret, '$WEBHOOK_SECRET');
    try {
      await judge({ account, receiver, id, secret, publicKey });
    } finally {
      await account.client.send(`/v1/webhooks/${id}`, { method: 'DELETE' }).catch(() => undefined);
    }
  } finally {
    await receiver.close();
  }
}
