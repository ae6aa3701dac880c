import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { resolveWith } from './resolve-host.ts';

const TYPES = { A: 1, AAAA: 28 } as const;
const ADDRESSES = { A: [192, 0, 2, 1], AAAA: [0x20, 1, 0xd, 0xb8, ...new Array(11).fill(0), 1] } as const;

/** Source: RFC 1035, section 4. */
async function startServer(context: TestContext, answered: readonly (keyof typeof TYPES)[]) {
  let dropped = 0;
  const server = createSocket('udp4', (query, { port, address }) => {
    const questionEnd = query.indexOf(0, 12) + 5;
    const type = answered.find((name) => TYPES[name] === query.readUInt16BE(questionEnd - 4));
    if (type === undefined) return void dropped++;
    const data = ADDRESSES[type];
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, TYPES[type], 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);
    server.send(Buffer.concat([head, query.subarray(12, questionEnd), answer]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const resolver = new Resolver({ timeout: 20_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return { resolver, dropped: () => dropped };
}

for (const [answered, addresses] of [
  [
    ['A', 'AAAA'],
    ['192.0.2.1', '2001:db8::1'],
  ],
  [['A'], ['192.0.2.1']],
  [['AAAA'], ['2001:db8::1']],
] as const)
  test(`a name has the addresses of the answers, if only ${answered.join(' and ')} is answered`, async (context) => {
    const { resolver, dropped } = await startServer(context, answered);
    const { signal } = new AbortController();
    assert.deepEqual(await resolveWith(resolver, 'receiver.example', signal), addresses);
    assert.ok(dropped() <= 2 - answered.length, 'it waited for the answer that was dropped');
  });

test('a lookup without an answer ends with its signal', async (context) => {
  const ending = new AbortController();
  const { resolver } = await startServer(context, []);
  const lookup = resolveWith(resolver, 'receiver.example', ending.signal);
  ending.abort();
  await assert.rejects(lookup, { code: 'ECANCELLED' });
});
