import assert from 'node:assert/strict';
import { createServer, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import type { SenderOptions } from '../../src/webhooks/network/sender.ts';
import { listen, type Receiver, startReceiver } from '../rig/webhooks/receiver.ts';
import { DELIVERED, postOnce, testSender } from '../rig/webhooks/test-sender.ts';
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6 } from './forbidden-addresses.ts';

const SPELLINGS = [
  '169.254.169.254.',
  '0xa9.0xfe.0xa9.0xfe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '2852039166',
  '0xa9fea9fe',
  '１６９.254.169.254',
  '169。254。169。254',
  '%3169.254.169.254',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[2002:a9fe:a9fe::1]',
  'localhost.',
  'ｌocalhost',
  'loc%61lhost',
  'receiver.localhost',
];

const ALLOWED = '127.0.0.1';
const FORBIDDEN = '127.0.0.2';
const ADDRESSES = [...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6];
const HOSTS = [...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6.map((address) => `[${address}]`), ...SPELLINGS];
const hasIpv6 = Object.values(networkInterfaces()).some((ones) =>
  ones?.some(({ family }) => family === 'IPv6'),
);
const EVERYWHERE = hasIpv6 ? '::' : '0.0.0.0';
const NOT_PUBLIC =
  /^the (URL has a host whose address|address of the host) is not public: [a-zA-Z0-9 -]+(?:; for a receiver on your own machine, run transactions webhooks listen)?$/;

describe('a forbidden address', () => {
  let everywhere: Omit<Receiver, 'received'>;
  const connect = mock.method(Socket.prototype, 'connect');

  before(async () => {
    everywhere = await listen(createServer(), { host: EVERYWHERE });
  });
  beforeEach(() => connect.mock.resetCalls());
  after(async () => {
    connect.mock.restore();
    await everywhere.close();
  });

  const post = (url: string, options: Partial<SenderOptions> = {}) =>
    postOnce(url, { networks: [], ...options });

  async function refused(url: string, options: Partial<SenderOptions> = {}): Promise<void> {
    const result = await post(url, options);
    assert.ok('error' in result, `${url} was answered`);
    assert.match(result.error, NOT_PUBLIC, url);
    assert.equal(connect.mock.callCount(), 0, url);
    assert.equal(everywhere.connections.count, 0, url);
  }

  test('is not connected to in any spelling of a URL, and no spelling is looked up', async () => {
    for (const host of HOSTS)
      for (const scheme of ['http', 'https']) await refused(`${scheme}://${host}:${everywhere.port}/hook`);
  });

  test('is not connected to if a name resolves to it, alone or with public addresses', async () => {
    const url = `http://receiver.test:${everywhere.port}/`;
    for (const address of ADDRESSES) {
      await refused(url, { resolveName: async () => [address] });
      await refused(url, { resolveName: async () => ['8.8.8.8', '2001:4860:4860::8888', address] });
    }
  });

  test('is not connected to if DNS returns it with a zone, or something that is not an address', async () => {
    for (const address of ['fe80::1%lo', 'localhost', '127.1', ''])
      await refused(`http://receiver.test:${everywhere.port}/`, { resolveName: async () => [address] });
  });

  test('is not connected to for a redirect', async () => {
    let location = '';
    let status = 302;
    await using receiver = await startReceiver((_request, response) =>
      response.writeHead(status, { location }).end(),
    );
    const options = { networks: [ALLOWED], resolveName: async () => [ALLOWED] };
    for (const host of FORBIDDEN_IPV4) {
      for (status of [301, 302, 303, 307, 308]) {
        location = `http://${host}:${everywhere.port}/`;
        connect.mock.resetCalls();
        const result = await post(`http://receiver.test:${receiver.port}/`, options);
        assert.deepEqual(result, { ...DELIVERED, status });
        assert.equal(connect.mock.callCount(), 1);
      }
    }
    assert.equal(everywhere.connections.count, 0);
  });

  test('is not connected to if a later lookup returns it: a connection uses only the addresses of its own lookup', async () => {
    await using listener = await startReceiver();
    await using other = await listen(createServer(), { host: FORBIDDEN, port: listener.port });
    let lookups = 0;
    const resolveName = async () => [lookups++ % 2 === 0 ? ALLOWED : FORBIDDEN];
    for (let round = 1; round <= 50; round++) {
      connect.mock.resetCalls();
      const result = await post(`http://receiver.test:${listener.port}/`, {
        networks: [ALLOWED],
        resolveName,
      });
      assert.equal(lookups, round);
      const isAllowed = round % 2 === 1;
      if (isAllowed) assert.deepEqual(result, DELIVERED);
      else assert.deepEqual(result, { error: 'the address of the host is not public: loopback network' });
      assert.equal(connect.mock.callCount(), isAllowed ? 1 : 0);
    }
    assert.equal(listener.received.length, 25);
    assert.equal(other.connections.count, 0);
  });

  test('is not reached over a connection that was made while a name had another address', async () => {
    await using listener = await startReceiver();
    await using other = await listen(createServer(), { host: FORBIDDEN, port: listener.port });
    let address = ALLOWED;
    using sender = testSender({ networks: [ALLOWED], resolveName: async () => [address] });
    const post = () => sender.post(`http://receiver.test:${listener.port}/`);
    assert.deepEqual(await post(), DELIVERED);
    address = FORBIDDEN;
    assert.deepEqual(await post(), DELIVERED);
    for (const socket of listener.connections.open) socket.destroy();
    const results = [await post(), await post()];
    assert.deepEqual(results[1], { error: 'the address of the host is not public: loopback network' });
    assert.equal(other.connections.count, 0);
  });
});
