import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { verifyWebhook, type WebhookEvent } from '../../client/src/index.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { startRunning } from '../rig/service/process.ts';

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

  test('begins at the last change, or where the archived ones end, of an account whose older changes are archived', async (t) => {
    const receiver = await serveHttp(t, (_, response) => response.writeHead(204).end());
    const { stdout } = await service.run(['archive', '--before', '2026-03-02', '--to', 'archived']);
    assert.match(stdout, /2 transactions/);
    for (const [index, after] of [[], ['--after', '2']].entries()) {
      const args = ['webhooks', 'listen', '--forward-to', receiver, ...after];
      const { child, prints, exited } = startRunning(t, args, service.options);
      if (index === 0) {
        await prints('Waiting for changes', 'stderr');
        await service.import(csvFile(csvLine({ reference: 'new', createdAt: '2026-03-03T10:00:00.000Z' })));
      }
      await prints('3 transaction.completed store-1.new: the receiver answered 204');
      child.kill('SIGINT');
      assert.deepEqual(await exited, [0, null]);
    }
  });
});
