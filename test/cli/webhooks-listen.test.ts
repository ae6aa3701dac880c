import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { verifyWebhook, type WebhookEvent } from '../../client/src/index.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { run, startRunning } from '../rig/service/process.ts';

const CHANGE = {
  type: 'transaction.completed',
  previousStatus: null,
  recordedAt: '2026-05-01T00:00:00.000Z',
  transaction: {
    reference: 'tx_1',
    merchantReference: null,
    status: 'completed',
    amount: '1.00',
    currencyCode: 'EUR',
    paidAt: null,
    createdAt: '2026-05-01T00:00:00.000Z',
  },
};

const HISTORY_CHANGED = {
  type: '/errors/history_changed',
  title: 'The history has changed',
  status: 409,
  code: 'history_changed',
  detail: 'Change 3 of this account has another id.',
};

const NOT_NOTICED = {
  type: '/errors/unauthorized',
  title: 'Unauthorized',
  status: 401,
  code: 'unauthorized',
  detail: 'The restore was not noticed.',
};

describe('webhooks listen', () => {
  const service = importedService(csvFile(csvLine({ reference: 'before' })));

  test('sends each change to a local address, signed with the printed secret, and prints the answer', async (t) => {
    const deliveries: { body: Buffer; headers: Record<string, string | string[] | undefined> }[] = [];
    const receiver = await serveHttp(t, async (request, response) => {
      deliveries.push({ body: await buffer(request), headers: request.headers });
      response.writeHead(deliveries.length === 1 ? 500 : 204).end();
    });
    const args = ['webhooks', 'listen', '--forward-to', `${receiver}/hooks`, '--after', '0'];
    const { child, output, prints, exited } = startRunning(t, args, service.options);
    await prints('before: the receiver answered 500');
    await service.import(csvFile(csvLine({ reference: 'later' })));
    await prints('later: the receiver answered 204');
    const [, secret = ''] = /^The secret is (whsec_\S+)$/m.exec(output.stdout) ?? [];
    const events: WebhookEvent[] = deliveries.map(({ body, headers }) =>
      verifyWebhook(body, headers, secret),
    );
    assert.deepEqual(
      events.map(({ data }) => data?.transaction.reference),
      ['store-1.before', 'store-1.later'],
    );
    assert.equal(new Set(events.map(({ id }) => id)).size, 2);
    child.kill('SIGINT');
    assert.deepEqual(await exited, [0, null]);
    const { stdout } = await service.run(['changes', '--json']);
    assert.equal(stdout.trim().split('\n').length, 2, 'it records nothing');
  });

  test('ends if the database is restored before the next change', async (t) => {
    const url = await serveHttp(t, ({ url = '' }, response) => {
      const { searchParams } = new URL(url, 'http://127.0.0.1');
      const after = Number(searchParams.get('after'));
      if (after === 3) {
        // The database was restored, and has given the number 3 to another change: only the id says so.
        const problem = searchParams.get('afterId') === 'ch_3' ? HISTORY_CHANGED : NOT_NOTICED;
        response.writeHead(problem.status, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ ...problem, requestId: 'r', headSequence: 3 }));
        return;
      }
      const [lastSequence, lastId] = [after + 1, `ch_${after + 1}`];
      const data = [{ ...CHANGE, sequence: lastSequence, id: lastId }];
      const page = { data, lastSequence, lastId, headSequence: 3, hasMore: after < 2 };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    for (const from of [[], ['--after', '3']]) {
      const { status, stderr } = await run(
        ['webhooks', 'listen', '--forward-to', `${url}/hooks`, '--url', url, ...from],
        service.options,
      );
      assert.equal(status, 1);
      assert.match(stderr, /^The service at \S+: Change 3 of this account has another id/m);
    }
  });
});
