import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type ClientRequest, get } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { SETTINGS } from '../../src/config/settings.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { createAuthority } from '../rig/http/certificate.ts';
import { freePort } from '../rig/http/loopback.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { missing, PROGRAM_PATH } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createKey, createOperatorKey, importCsv, startServe } from '../rig/service/process.ts';
import { PROXIES, type ProxyPlace, readSample } from '../rig/service/proxies.ts';

const BATCH_LINES = 20_000;

const batchLine = (number: number) =>
  `${JSON.stringify({
    account: 'store-1',
    reference: `batch-${number}`,
    merchantReference: 'm'.repeat(64),
    status: 'pending',
    amount: '1.00',
    currencyCode: 'EUR',
    createdAt: '2026-03-30T09:30:00.000Z',
  })}\n`;

async function sendBatch(batch: ClientRequest): Promise<void> {
  batch.write(batchLine(0));
  const [answered] = await once(batch, 'response');
  const results = createInterface(answered)[Symbol.asyncIterator]();
  const nextOutcome = async () => JSON.parse((await results.next()).value ?? '{}').outcome;
  assert.equal(await nextOutcome(), 'recorded');
  const rest = Array.from({ length: BATCH_LINES }, (_, index) => batchLine(index + 1));
  const sending = pipeline(Readable.from(rest), batch);
  for (let line = 1; line <= BATCH_LINES; line++) assert.equal(await nextOutcome(), 'recorded');
  await sending;
}

const LISTS =
  /^transactions_http_request_duration_seconds_count\{[^}]*route="\/v1\/transactions",status="200"\} [1-9]/m;

const hasAnswered = async ({ operatorUrl }: { operatorUrl: string }) =>
  LISTS.test(await (await fetch(`${operatorUrl}/metrics`)).text());

async function startBehind(
  t: TestContext,
  program: string,
  configure: (place: ProxyPlace) => string[],
  env: Record<string, string> = {},
) {
  const { path: cwd } = temporaryFolder(t);
  const authority = createAuthority();
  const { cert, key: tlsKey } = authority.issue('localhost');
  writeFileSync(join(cwd, 'cert.pem'), cert);
  writeFileSync(join(cwd, 'key.pem'), tlsKey, { mode: 0o600 });
  mkdirSync(join(cwd, 'home'));
  await importCsv(sampleCsv(2000), { cwd });
  const key = await createKey('store-1', { cwd });
  const platformKey = await createOperatorKey({ cwd });
  const serve = (ports: Record<string, string>) =>
    startServe({ cwd, env: { TRUSTED_PROXIES: '127.0.0.1', OPERATOR_PORT: '0', ...env, ...ports } });
  const served = await serve({});
  t.after(() => served.stop());
  const [url, operatorUrl] = [served.url, served.operatorUrl].map((text) => new URL(text)) as [URL, URL];
  const [port, plainPort, operatorPort] = [await freePort(), await freePort(), await freePort()];
  const upstreams = { upstream: url.host, operatorUpstream: operatorUrl.host };
  const args = configure({ folder: cwd, port, plainPort, operatorPort, ...upstreams });
  const proxy = spawn(program, args, {
    cwd,
    env: { PATH: PROGRAM_PATH, HOME: join(cwd, 'home') },
    stdio: 'ignore',
  });
  const ended = once(proxy, 'exit');
  t.after(async () => {
    proxy.kill('SIGKILL');
    await ended;
  });
  const tls = { host: '127.0.0.1', servername: 'localhost', port, ca: authority.cert };
  const open = (path: string, options: RequestOptions) => {
    const sent = request({ ...tls, path, ...options });
    sent.setHeader('host', `localhost:${port}`);
    return sent;
  };
  const send = async (path: string, options: RequestOptions = {}, body?: string) => {
    const headers = { authorization: `Bearer ${key}`, ...options.headers };
    const sent = open(path, { ...options, headers });
    sent.end(body);
    const [response] = await once(sent, 'response');
    const { statusCode: status, headers: sentHeaders } = response;
    return { status, body: await text(response), hsts: sentHeaders['strict-transport-security'] };
  };
  const openBatch = () =>
    open('/v1/batch', {
      port: operatorPort,
      method: 'POST',
      headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/x-ndjson' },
    });
  const untilAnswers = async (path: string, options: RequestOptions = {}) => {
    const deadline = performance.now() + GIVE_UP_MS;
    while ((await send(path, options).catch(() => null))?.status !== 200) {
      assert.ok(performance.now() < deadline && proxy.exitCode === null, `${program} does not answer`);
      await delay(20);
    }
  };
  await untilAnswers('/livez');
  return {
    key,
    tls,
    plainPort,
    operatorPort,
    send,
    openBatch,
    untilAnswers,
    serve,
    served,
  };
}

for (const [program, { configure, hasOperator }] of Object.entries(PROXIES)) {
  const skip = missing(program);
  test(`behind the sample of ${program}, lists, waits, exports, batches and pages work, and the service sees the address of the caller`, {
    skip,
  }, async (t) => {
    const { key, tls, plainPort, send, openBatch, served } = await startBehind(t, program, configure);
    const list = await send('/v1/transactions', { headers: { 'x-forwarded-proto': 'http' } });
    assert.deepEqual([list.status, list.hsts], [200, 'max-age=63072000']);
    const authorization = `Bearer ${key}`;
    const old = connectTls(tls);
    old.write(`GET /v1/transactions HTTP/1.0\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`);
    const [head = '', body] = (await text(old)).split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.[01] 200 /);
    const { data } = JSON.parse(list.body);
    assert.deepEqual(JSON.parse(body ?? '').data, data);
    const session = connectHttp2('https://localhost', {
      createConnection: () => connectTls({ ...tls, ALPNProtocols: ['h2'] }),
    });
    const stream = session.request({ ':path': '/v1/transactions', authorization });
    assert.equal((await once(stream, 'response'))[0][':status'], 200);
    assert.deepEqual(JSON.parse(await text(stream)).data, data);
    session.close();
    const headers = { authorization, host: 'transactions.example' };
    const [plain] = await once(get({ port: plainPort, path: '/v1/transactions', headers }), 'response');
    assert.deepEqual(
      [plain.statusCode, plain.headers['content-type'], JSON.parse(await text(plain)).code],
      [403, 'application/problem+json', 'insecure_transport'],
    );
    const { headSequence } = JSON.parse((await send('/v1/changes?after=0')).body);
    const waited = await send(`/v1/changes?after=${headSequence}&wait=1`);
    assert.deepEqual([waited.status, JSON.parse(waited.body).data], [200, []]);
    const exported = await send('/v1/transactions.csv');
    const direct = await fetch(`${served.url}/v1/transactions.csv`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.deepEqual([exported.status, exported.body], [200, await direct.text()]);
    for (const path of ['/', '/docs', '/guides', '/errors/rate_limited', '/openapi.json'])
      assert.equal((await send(path)).status, 200, path);

    if (hasOperator) await sendBatch(openBatch());

    const forged = { authorization: 'Bearer wrong', 'x-forwarded-for': '192.0.2.1' };
    assert.equal(
      (await send('/v1/transactions', { localAddress: '127.0.0.2', headers: forged })).status,
      401,
    );
    await served.stop();
    const refused = jsonLines(served.logged()).find(({ status }) => status === 401);
    assert.equal(refused?.['address'], '127.0.0.2');
  });
}

const POST: [string, RequestOptions, string] = [
  '/mcp',
  { method: 'POST', headers: { 'content-type': 'application/json' } },
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
];

for (const [program, { configure, addInstance, hasOperator }] of Object.entries(PROXIES))
  test(`behind the sample of ${program}, two instances are replaced one after the other under load, and no request fails`, {
    skip: missing(program),
  }, async (t) => {
    const [port, operatorPort] = [String(await freePort()), String(await freePort())];
    const second = { address: `127.0.0.1:${port}`, operatorAddress: `127.0.0.1:${operatorPort}` };
    const behind = await startBehind(t, program, (place) => addInstance(configure(place), place, second), {
      DRAIN_SECONDS: '5',
      RATE_LIMIT: 'off',
    });
    const { send, served, serve } = behind;
    const portsOf = ({ url, operatorUrl }: { url: string; operatorUrl: string }) => ({
      PORT: new URL(url).port,
      OPERATOR_PORT: new URL(operatorUrl).port,
    });
    const places = [portsOf(served), { PORT: port, OPERATOR_PORT: operatorPort }];
    type Instance = typeof served;
    let instances = [served, await serve(places[1] as (typeof places)[number])];
    t.after(() => Promise.all(instances.map((instance) => instance.stop())));
    const failed: unknown[] = [];
    let answered = 0;
    let isRolling = true;
    const load = Array.from({ length: 8 }, async (_, caller) => {
      const [path, options, body]: [string, RequestOptions, string?] =
        hasOperator && caller < 2
          ? ['/livez', { port: behind.operatorPort }]
          : caller < 4
            ? POST
            : ['/v1/transactions', {}];
      while (isRolling) {
        const status = await send(path, options, body).then((response) => response.status, String);
        if (status === 200) answered++;
        else failed.push(status);
      }
    });
    for (const [index, place] of places.entries()) {
      const [old, other] = [instances[index], instances[1 - index]] as [Instance, Instance];
      const deadline = performance.now() + GIVE_UP_MS;
      while (program === 'caddy' && !(await hasAnswered(other))) {
        assert.ok(performance.now() < deadline, 'the proxy does not use the other instance');
        await delay(20);
      }
      assert.equal((await old.stop()).status, 0);
      instances = instances.with(index, await serve(place));
    }
    isRolling = false;
    await Promise.all(load);
    t.diagnostic(`${failed.length} of ${answered + failed.length} requests failed`);
    assert.deepEqual(failed, []);
  });

test('the samples close idle connections before the service does', () => {
  for (const [name, time] of [
    ['nginx.conf', /keepalive_timeout (\d+)s;/],
    ['Caddyfile', /keepalive (\d+)s/],
  ] as const) {
    const seconds = Number(time.exec(readSample(name))?.[1]);
    assert.ok(seconds < SETTINGS.keepAliveSeconds.default, `${name}: ${seconds} s`);
  }
});
