import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Fastify from 'fastify';
import { signWebhook, verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

/* The example delivery of docs/webhooks.md, and how each framework gives it an unchanged body. */

const GUIDE = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const [, FASTIFY_PARSER = ''] = /\| Fastify \| `request\.body`, after `([^`]+)` \|/.exec(GUIDE) ?? [];
const [, NEXT_BODY = ''] = /\| Next\.js \| `([^`]+)`/.exec(GUIDE) ?? [];
const [, HEAD = '', BODY = ''] = /```http\n([\s\S]*?)\n\n([\s\S]*?)\n```/.exec(GUIDE) ?? [];
const [, SECRET = ''] = /signed with the secret `(whsec_\S+)`/.exec(GUIDE) ?? [];
const [, PUBLIC_KEY = ''] = /with `v1a` by the key\s+`(whpk_\S+)`/.exec(GUIDE) ?? [];
const HEADERS = Object.fromEntries(
  HEAD.split('\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string]),
);

const folder = temporaryFolder();
after(folder.remove);

async function load(name: string, text: string) {
  const path = join(folder.path, name);
  writeFileSync(path, `export default ${text};`);
  return (await import(pathToFileURL(path).href)).default;
}

function statusOf(body: string | Uint8Array, headers: Headers | IncomingHttpHeaders): number {
  try {
    verifyWebhook(body, headers, SECRET);
    return 204;
  } catch {
    return 400;
  }
}

/** The receiver must accept a delivery, and refuse an altered delivery. */
async function judge(answer: (body: string, headers: Record<string, string>) => Promise<number>) {
  // A framework that parses the body loses these spaces and this escape.
  const body = BODY.replace('{"type"', '{ "type"').replace('order-1012', '\\u006frder-1012');
  const headers = signWebhook(body, SECRET, { id: 'chg_1' });
  assert.equal(await answer(body, headers), 204);
  assert.equal(await answer(body.replace('24.50', '25.50'), headers), 400);
}

test('the example delivery of the guide has the right signatures', () => {
  const now = () => Number(HEADERS['webhook-timestamp']) * 1000;
  const event = verifyWebhook(BODY, HEADERS, SECRET, { now });
  assert.deepEqual(verifyWebhook(BODY, HEADERS, PUBLIC_KEY, { now }), event);
  assert.throws(() => verifyWebhook(BODY, HEADERS, SECRET), WebhookVerificationError, 'its time');
  assert.equal(event.id, HEADERS['webhook-id']);
  assert.equal(event.data?.id, event.id);
  assert.equal(event.data?.transaction.reference, 'tx_000012');
});

test('Fastify: the body is verified as it was received, with the parser of the guide', async () => {
  const prepare = await load('fastify.mjs', `(app) => { ${FASTIFY_PARSER}; }`);
  const app = Fastify();
  prepare(app);
  app.post('/hooks', async (request, reply) =>
    reply.code(statusOf(request.body as Uint8Array, request.headers)).send(),
  );
  await judge(async (payload, headers) => {
    const { statusCode } = await app.inject({ method: 'POST', url: '/hooks', payload, headers });
    return statusCode;
  });
  await app.close();
});

test('Next.js: the body is verified as it was received, read as the guide says', async () => {
  const read = await load('next.mjs', `async (request) => ${NEXT_BODY}`);
  await judge(async (body, headers) => {
    const request = new Request('http://receiver.test/hooks', { method: 'POST', body, headers });
    return statusOf(await read(request), request.headers);
  });
});
