import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SETTINGS } from '../../src/config/settings.ts';
import { createAuthority } from '../rig/certificate.ts';
import { sampleCsv } from '../rig/csv.ts';
import { GIVE_UP_MS } from '../rig/give-up.ts';
import { missing, PROGRAM_PATH } from '../rig/installed.ts';
import { jsonLines } from '../rig/json-lines.ts';
import { freePort } from '../rig/loopback.ts';
import { createKey, importCsv, startServe } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

const read = (name: string) => readFileSync(new URL(`../../ops/${name}`, import.meta.url), 'utf8');

interface Place {
  folder: string;
  port: number;
  upstream: string;
}

interface Proxy {
  /** Writes the example with the ports and files of the test, and returns the arguments of the program. */
  configure(place: Place): string[];
}

/** Replaces each text, which must be there once. */
const replaced = (example: string, pairs: readonly (readonly [string, string])[]) =>
  pairs.reduce((result, [found, other]) => {
    assert.equal(result.split(found).length, 2, found);
    return result.replace(found, other);
  }, example);

const PROXIES: Record<string, Proxy> = {
  nginx: {
    configure: ({ folder, port, upstream }) => {
      const site = replaced(read('nginx.conf'), [
        ['127.0.0.1:3000', upstream],
        ['443 ssl', `127.0.0.1:${port} ssl`],
        ['/etc/ssl/transactions.pem', `${folder}/cert.pem`],
        ['/etc/ssl/private/transactions.key', `${folder}/key.pem`],
      ]);
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const text = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${folders.join(' ')}\n${site} }\n`;
      writeFileSync(`${folder}/nginx.conf`, text);
      return ['-p', folder, '-c', `${folder}/nginx.conf`];
    },
  },
  caddy: {
    configure: ({ folder, port, upstream }) => {
      const site = replaced(read('Caddyfile'), [
        ['127.0.0.1:3000', upstream],
        [
          '\ntransactions.example {',
          `\nhttps://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
        ],
      ]);
      writeFileSync(`${folder}/Caddyfile`, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
      return ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'];
    },
  },
};

for (const [program, { configure }] of Object.entries(PROXIES)) {
  const skip = missing(program);
  test(`behind the example of ${program}, lists, waiting callers, exports and pages arrive, with the address of the caller`, {
    skip,
  }, async (t) => {
    const { path: cwd, remove } = temporaryFolder();
    t.after(remove);
    const authority = createAuthority();
    const { cert, key: tlsKey } = authority.issue('localhost');
    writeFileSync(join(cwd, 'cert.pem'), cert);
    writeFileSync(join(cwd, 'key.pem'), tlsKey, { mode: 0o600 });
    mkdirSync(join(cwd, 'home'));
    await importCsv(sampleCsv(2000), { cwd });
    const key = await createKey('store-1', { cwd });
    const served = await startServe({ cwd, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    t.after(() => served.stop());
    const port = await freePort();
    const args = configure({ folder: cwd, port, upstream: new URL(served.url).host });
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
    const send = async (path: string, options: RequestOptions = {}) => {
      const headers = { authorization: `Bearer ${key}`, ...options.headers };
      const sent = request({
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        path,
        ca: authority.cert,
        ...options,
        headers,
      });
      sent.setHeader('host', `localhost:${port}`);
      sent.end();
      const [response] = await once(sent, 'response');
      return { status: response.statusCode, body: await text(response) };
    };
    const deadline = performance.now() + GIVE_UP_MS;
    while ((await send('/livez').catch(() => null))?.status !== 200) {
      assert.ok(performance.now() < deadline && proxy.exitCode === null, `${program} does not answer`);
      await delay(20);
    }

    const list = await send('/v1/transactions');
    assert.equal(list.status, 200);
    const { headSequence } = JSON.parse((await send('/v1/changes?after=0')).body);
    const waited = await send(`/v1/changes?after=${headSequence}&wait=1`);
    assert.deepEqual([waited.status, JSON.parse(waited.body).data], [200, []]);
    const exported = await send('/v1/transactions.csv');
    const direct = await fetch(`${served.url}/v1/transactions.csv`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.deepEqual(exported, { status: 200, body: await direct.text() });
    for (const path of ['/', '/docs', '/guides', '/errors/rate_limited', '/openapi.json'])
      assert.equal((await send(path)).status, 200, path);

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

test('the examples close idle connections before the service does', () => {
  for (const [name, time] of [
    ['nginx.conf', /keepalive_timeout (\d+)s;/],
    ['Caddyfile', /keepalive (\d+)s/],
  ] as const) {
    const seconds = Number(time.exec(read(name))?.[1]);
    assert.ok(seconds < SETTINGS.keepAliveSeconds.default, `${name}: ${seconds} s`);
  }
});
