import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { signWebhook, verifyWebhook } from '../../client/src/index.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

/* The delivery and the receivers of docs/webhooks.md, with the frameworks that read the body as it was received. */

const GUIDE = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const CLIENT = new URL('../../client/src/index.ts', import.meta.url).href;
const [FASTIFY = '', NEXT = ''] = [...GUIDE.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const [, HEAD = '', BODY = ''] = /```http\n([\s\S]*?)\n\n([\s\S]*?)\n```/.exec(GUIDE) ?? [];
const [, SECRET = ''] = /signed with the secret `(whsec_\S+)`/.exec(GUIDE) ?? [];
const HEADERS = Object.fromEntries(
  HEAD.split('\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string]),
);

const folder = temporaryFolder();
after(folder.remove);

/** The module of a program, with its imports from this repository. */
async function load(name: string, text: string) {
  const path = join(folder.path, name);
  const fastify = import.meta.resolve('fastify');
  writeFileSync(
    path,
    text
      .replace("'transactions-client'", `'${CLIENT}'`)
      .replace("'fastify'", `'${fastify}'`)
      .replace('await app.listen({ port: 8080 });', 'export { app };'),
  );
  return import(pathToFileURL(path).href);
}

/** What a receiver answers to a delivery, and to one that was altered. */
async function judge(answer: (body: string, headers: Record<string, string>) => Promise<number>) {
  const before = process.env['WEBHOOK_SECRET'];
  process.env['WEBHOOK_SECRET'] = SECRET;
  try {
    // Spaces and an escape are lost if a framework parses the body.
    const body = BODY.replace('{"type"', '{ "type"').replace('order-1012', '\\u006frder-1012');
    const headers = signWebhook(body, SECRET, { id: 'chg_1' });
    assert.equal(await answer(body, headers), 204);
    assert.equal(await answer(body.replace('24.50', '25.50'), headers), 400);
  } finally {
    if (before === undefined) delete process.env['WEBHOOK_SECRET'];
    else process.env['WEBHOOK_SECRET'] = before;
  }
}

test('the delivery of the guide has the right signature', () => {
  const now = () => Number(HEADERS['webhook-timestamp']) * 1000;
  const event = verifyWebhook(BODY, HEADERS, SECRET, { now });
  assert.equal(event.id, HEADERS['webhook-id']);
  assert.equal(event.data?.id, event.id);
  assert.equal(event.data?.transaction.reference, 'tx_000012');
});

test('the receiver of the guide for Fastify verifies the body as it was received', async () => {
  const { app } = await load('fastify.mjs', FASTIFY);
  await judge(async (payload, headers) => {
    const { statusCode } = await app.inject({ method: 'POST', url: '/hooks', payload, headers });
    return statusCode;
  });
  await app.close();
});

test('the route handler of the guide for Next.js verifies the body as it was received', async () => {
  const { POST } = await load('route.mjs', NEXT);
  await judge(async (body, headers) => {
    const { status } = await POST(
      new Request('http://receiver.test/hooks', { method: 'POST', body, headers }),
    );
    return status;
  });
});
