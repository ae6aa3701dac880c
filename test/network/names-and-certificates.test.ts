import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import type { SenderOptions } from '../../src/webhooks/network/sender.ts';
import { createAuthority, trust } from '../rig/http/certificate.ts';
import { startRawReceiver, startReceiver } from '../rig/webhooks/receiver.ts';
import { DELIVERED, postOnce } from '../rig/webhooks/test-sender.ts';

const HOST = 'receiver.test';
const resolveName = async () => ['127.0.0.1'];

const post = (url: string, options: Partial<SenderOptions> = {}, attempt = {}) =>
  postOnce(url, { resolveName, ...options }, attempt);

const failure = (code: string) => Object.assign(new Error(`query ${code} internal.example`), { code });

describe('a name', () => {
  test('is looked up once, and is sent in the Host header', async () => {
    await using receiver = await startReceiver();
    const names: string[] = [];
    const resolveName = async (name: string) => {
      names.push(name);
      return ['127.0.0.1'];
    };
    assert.deepEqual(await post(`http://Receiver.Test:${receiver.port}/`, { resolveName }), DELIVERED);
    assert.deepEqual(names, [HOST]);
    assert.equal(receiver.received[0]?.headers['host'], `${HOST}:${receiver.port}`);
  });

  test('with several addresses is tried at each until one accepts the connection', async () => {
    await using receiver = await startReceiver();
    const resolveName = async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'];
    assert.deepEqual(await post(`http://${HOST}:${receiver.port}/`, { resolveName }), DELIVERED);
  });

  test('is not looked up if it is localhost', async () => {
    await using receiver = await startReceiver();
    const resolveName = async () => assert.fail('looked up');
    const networks = ['127.0.0.1'];
    assert.deepEqual(await post(`http://localhost:${receiver.port}/`, { resolveName, networks }), DELIVERED);
  });

  test('without an address, or whose servers fail, is an error that does not give the reason', async () => {
    const [absent, failed] = [
      'the name of the host has no address',
      'the name of the host could not be resolved',
    ];
    for (const [code, error] of [
      ['ENOTFOUND', absent],
      ['ENODATA', absent],
      ['ETIMEOUT', failed],
      ['ESERVFAIL', failed],
      ['ECONNREFUSED', failed],
    ] as const) {
      const resolveName = () => Promise.reject(failure(code));
      assert.deepEqual(await post(`http://${HOST}/`, { resolveName }), { error }, code);
    }
    assert.deepEqual(await post(`http://${HOST}/`, { resolveName: async () => [] }), { error: absent });
  });

  test('whose lookup never ends fails at the time limit or the signal, which also ends the lookup', async () => {
    let ended = 0;
    const resolveName = (_name: string, signal: AbortSignal) =>
      new Promise<string[]>((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          ended++;
          reject(failure('ECANCELLED'));
        }),
      );
    const late = await post(`http://${HOST}/`, { resolveName }, { timeoutMs: 50 });
    assert.deepEqual(late, { error: 'no response within 0.05 s' });
    const ending = new AbortController();
    const stopped = post(`http://${HOST}/`, { resolveName }, { signal: ending.signal });
    setImmediate(() => ending.abort());
    assert.deepEqual(await stopped, { error: 'the attempt was ended by the service' });
    assert.equal(ended, 2);
  });

  test('is not connected to if its lookup ends after the time limit', async () => {
    await using receiver = await startReceiver();
    const lookup = Promise.withResolvers<string[]>();
    const url = `http://${HOST}:${receiver.port}/`;
    const late = await post(url, { resolveName: () => lookup.promise }, { timeoutMs: 50 });
    assert.deepEqual(late, { error: 'no response within 0.05 s' });
    lookup.resolve(['127.0.0.1']);
    assert.deepEqual(await post(url), DELIVERED);
    assert.equal(receiver.connections.count, 1);
  });
});

describe('over https', () => {
  const authority = createAuthority();
  let distrust = () => {};
  before(() => {
    distrust = trust(authority);
  });
  after(() => distrust());

  test('SNI has the name in the URL, and the certificate must have it, whatever the address', async () => {
    const serverNames: unknown[] = [];
    await using receiver = await startReceiver(
      (request, response) => {
        serverNames.push((request.socket as TLSSocket).servername);
        response.writeHead(204).end();
      },
      { certificate: authority.issue(HOST) },
    );
    for (const host of [HOST, `${HOST}.`, 'RECEIVER.test'])
      assert.deepEqual(await post(`https://${host}:${receiver.port}/`), DELIVERED, host);
    assert.deepEqual(serverNames, [HOST, HOST, HOST]);
  });

  test('an address in a URL needs a certificate for it, and is not sent in SNI', async () => {
    await using receiver = await startReceiver(undefined, { certificate: authority.issue('127.0.0.1') });
    assert.deepEqual(await post(receiver.url), DELIVERED);
    assert.deepEqual(await post(receiver.url.replace('.1:', '.2:').replace('127.0.0.2', HOST)), {
      error: 'the certificate is for another host',
    });
    assert.equal(receiver.received.length, 1);
  });

  test('nothing is sent to a receiver whose certificate is not valid', async (context) => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    context.after(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    const stranger = createAuthority();
    for (const [certificate, error] of [
      [authority.issue('other.test'), 'the certificate is for another host'],
      [authority.issue(HOST, 'expired'), 'the certificate has expired'],
      [stranger.issue(HOST), 'the certificate is not trusted'],
      [stranger, 'the certificate is self-signed'],
    ] as const) {
      await using receiver = await startReceiver(undefined, { certificate });
      for (const checks of ['1', '0']) {
        process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = checks;
        assert.deepEqual(await post(`https://${HOST}:${receiver.port}/`), { error });
      }
      assert.equal(receiver.received.length, 0);
    }
  });

  test('a receiver that does not speak TLS gets no request', async () => {
    let heard = '';
    await using receiver = await startRawReceiver((socket, piece) => {
      heard += piece;
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    const result = await post(`https://${HOST}:${receiver.port}/hook`);
    assert.deepEqual(result, { error: 'TLS failed' });
    assert.ok(!heard.includes('POST'));
  });
});
