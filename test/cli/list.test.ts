import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { type Certificate, createAuthority, expired } from '../rig/http/certificate.ts';
import { freePort, serveHttp } from '../rig/http/loopback.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { run, start } from '../rig/service/process.ts';

const FIELDS = ['reference', 'merchantReference', 'status', 'amount', 'currencyCode', 'paidAt', 'createdAt'];

describe('list', () => {
  const csv = sampleCsv(300);
  const expected = expectedRows(csv, 'store-1');
  const service = importedService(csv);

  const list = (args: readonly string[], env: Record<string, string> = {}) =>
    service.run(['list', ...args], { env });

  test('--json prints the whole list, an object on each line, and nothing else', async () => {
    const { status, stdout, stderr } = await list(['--json']);
    assert.deepEqual(jsonLines(stdout), expected);
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('--csv prints the whole list with a header', async () => {
    const { status, stdout } = await list(['--csv', '--url', service.url]);
    const rows = parse<Record<string, string>>(stdout, { columns: true });
    assert.deepEqual(
      rows,
      expected.map((row) => Object.fromEntries(FIELDS.map((name) => [name, row[name] ?? '']))),
    );
    assert.equal(status, 0);
  });

  test('a table is the default format', async () => {
    const { status, stdout } = await list([]);
    const [titles = '', ...lines] = stdout.trimEnd().split('\n');
    assert.match(titles, /^CREATED +REFERENCE +STATUS +AMOUNT +CURRENCY +PAID +MERCHANT REFERENCE$/);
    assert.deepEqual(
      lines.map((line) => line.split(/ +/).slice(0, 4)),
      expected.map(({ createdAt, reference, status: state, amount }) => [
        createdAt,
        reference,
        state,
        amount,
      ]),
    );
    assert.equal(status, 0);
  });

  test('filters restrict the list, over more than 90 days too, and --limit takes the newest', async () => {
    const day = String(expected[100]?.['createdAt']).slice(0, 10);
    const filtered = await list([
      '--json',
      '--status',
      'pending',
      '--currency',
      'CAD',
      '--from',
      '2025-06-01',
      '--to',
      day,
    ]);
    const wanted = expected.filter(
      (row) => row['status'] === 'pending' && String(row['createdAt']) < `${day}T24`,
    );
    assert.ok(wanted.length > 0);
    assert.deepEqual(jsonLines(filtered.stdout), wanted);
    const [chosen] = expected;
    const one = await list(['--json', '--merchant-reference', String(chosen?.['merchantReference'])]);
    assert.deepEqual(jsonLines(one.stdout), [chosen]);
    for (const limit of [1, 10, 25]) {
      const { stdout } = await list(['--json', '--limit', String(limit)]);
      assert.deepEqual(jsonLines(stdout), expected.slice(0, limit));
    }
  });

  test('an empty list is a success: a note for a table, only the header of CSV, and no line of JSON', async () => {
    const none = ['--currency', 'JPY'];
    assert.deepEqual(await list(none), {
      status: 0,
      signal: null,
      stdout: '',
      stderr: 'No transactions match.\n',
    });
    assert.equal((await list([...none, '--csv'])).stdout, `${FIELDS.join()}\n`);
    assert.equal((await list([...none, '--json'])).stdout, '');
  });

  test('the key is also read from .env', async (t) => {
    const other = temporaryFolder();
    t.after(other.remove);
    writeFileSync(`${other.path}/.env`, `TRANSACTIONS_API_KEY=${service.key}\n`);
    const { status, stdout } = await run(['list', '--json', '--url', service.url], { cwd: other.path });
    assert.equal(status, 0);
    assert.equal(jsonLines(stdout).length, expected.length);
  });

  test('wrong use ends with status 2, names the correct use, and prints no list', async () => {
    const wrong: [args: string[], env: Record<string, string>, message: RegExp][] = [
      [['--currency', 'usd', '--csv'], {}, /^--currency: .*did you mean USD\?\n$/],
      [['--status', 'paid', '--from', 'May'], {}, /^--status: .*\n--from: .*YYYY-MM-DD/],
      [
        ['--from', '2026-02-02', '--to', '2026-02-01'],
        {},
        /^--from: it is after --to\. Give the earlier day, or the same day for both\.\n$/,
      ],
      [
        ['--merchant-reference', ''],
        {},
        /'--merchant-reference <text>' argument '' is invalid\. It is empty\. Omit the option/,
      ],
      [['--limit', '0'], {}, /at least 1/],
      [['--json', '--csv'], {}, /cannot be used with/],
      [['--url', 'service.example'], {}, /^--url: .*such as https:/],
      [['--url', 'http://service.example'], {}, /^--url: .*Use https:.*give --allow-http if/],
      [[], { PORT: '0' }, /--url/],
      [[], { TRANSACTIONS_API_KEY: '' }, /TRANSACTIONS_API_KEY is empty; set it .*transactions keys create/],
      [[], { TRANSACTIONS_API_KEY: 'tk_live_misspelt' }, /TRANSACTIONS_API_KEY is not an API key/],
    ];
    for (const [args, env, message] of wrong) {
      const { status, stdout, stderr } = await list(args, env);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, message);
    }
    for (const args of [['search', 'abc'], ['export', '--csv'], ['totals'], ['changes']]) {
      const outcome = await service.run([...args, '--url', 'service.example']);
      assert.equal(outcome.status, 2, args[0]);
      assert.match(outcome.stderr, /^--url: /);
    }
    const { status, stderr } = await run(['list'], { cwd: service.folder });
    assert.equal(status, 2);
    assert.match(stderr, /^Set TRANSACTIONS_API_KEY .*transactions keys create/);
  });

  test('a refused key or connection ends with status 1 and an error that names the URL and the remedy', async () => {
    const revoked = await service.revokedKey();
    const refused = await list(['--csv'], { TRANSACTIONS_API_KEY: revoked });
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^The service at http.* does not accept the key in TRANSACTIONS_API_KEY: /);
    assert.ok(!refused.stderr.includes(revoked));

    const port = await freePort();
    const nowhere = await list([], { PORT: String(port) });
    assert.deepEqual([nowhere.status, nowhere.stdout], [1, '']);
    const remedy = 'Start it with "transactions serve", or give another URL with --url.';
    const escaped = nowhere.stderr.replace(/: [^:]*ECONNREFUSED[^.]*127\.0\.0\.1:\d+\./, ': REASON.');
    assert.equal(escaped, `Can't connect to the service at http://127.0.0.1:${port}: REASON. ${remedy}\n`);
  });

  test('https in place of http is named, and a terminal shows while a search is tried again', async () => {
    const plain = service.url.replace('http:', 'https:');
    const wrong = await service.run(['search', 'abc', '--url', plain]);
    assert.deepEqual(
      [wrong.status, wrong.stderr],
      [1, `${plain} speaks http, not https. Give --url ${service.url}.\n`],
    );
    const url = `http://127.0.0.1:${await freePort()}`;
    const waiting = await run(['list', '--url', url], { ...service.options, isTerminal: true });
    assert.match(
      waiting.stderr,
      /^The service at http:\S+ does not answer \(ECONNREFUSED\)\. Trying again\.$/m,
    );
  });

  test('a certificate that has expired, or whose authority is unknown, has a remedy of its own', async (t) => {
    const key = await service.revokedKey();
    const authority = createAuthority();
    writeFileSync(join(service.folder, 'authority.pem'), authority.cert);
    const listWith = async (certificate: Certificate, env: Record<string, string>) => {
      const server = createServer(certificate).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const child = start(['list', '--url', url], {
        cwd: service.folder,
        env: { TRANSACTIONS_API_KEY: key, ...env },
      });
      return text(child.stderr as NodeJS.ReadableStream);
    };
    const trusted = { NODE_EXTRA_CA_CERTS: join(service.folder, 'authority.pem') };
    const old = await listWith(authority.issue('127.0.0.1', expired()), trusted);
    assert.match(old, /certificate has expired\. Renew the certificate/);
    assert.match(await listWith(authority.issue('127.0.0.1'), {}), /set NODE_EXTRA_CA_CERTS to its file/);
    assert.match(await listWith(authority.issue('other.example'), trusted), / Give another URL with --url/);
  });

  /** A service that refuses the key after so many pages, and first breaks so many connections before its second page. */
  function endlessList(t: TestContext, pages: number, breaks = 0, rows = 10): Promise<string> {
    let page = 0;
    let broken = 0;
    return serveHttp(t, (request, response) => {
      if (page === 1 && broken < breaks) {
        broken++;
        request.socket.destroy();
        return;
      }
      response.setHeader('content-type', 'application/json');
      if (page++ >= pages) {
        response
          .writeHead(401)
          .end(JSON.stringify({ code: 'invalid_api_key', detail: 'The key was revoked.' }));
        return;
      }
      const data = Array.from({ length: rows }, (_, index) => ({
        ...expected[0],
        createdAt: new Date(Date.UTC(2026, 0, 1) - page * 10 - index).toISOString(),
      }));
      response.end(JSON.stringify({ data, nextCursor: 'next', hasMore: true }));
    });
  }

  test('a list that fails midway ends with status 1 and says that it is incomplete', async (t) => {
    const { status, stdout, stderr } = await list(['--json', '--url', await endlessList(t, 3)]);
    assert.equal(status, 1);
    assert.equal(jsonLines(stdout).length, 30);
    assert.match(stderr, /does not accept the key in TRANSACTIONS_API_KEY: The key was revoked\./);
    assert.match(stderr, /\nThe list is incomplete: it ends after 30 transactions\.\n$/);
    const one = await list(['--json', '--url', await endlessList(t, 1, 0, 1)]);
    assert.match(one.stderr, /\nThe list is incomplete: it ends after 1 transaction\.\n$/);
  });

  test('a list that has started continues after two lost connections in a row', async (t) => {
    const url = await endlessList(t, 3, 2);
    const { status, stdout, stderr } = await list(['--json', '--limit', '30', '--url', url]);
    assert.deepEqual([status, jsonLines(stdout).length, stderr], [0, 30, '']);
  });

  test('a reader that closes the output ends the list without an error', {
    timeout: GIVE_UP_MS,
  }, async (t) => {
    const url = await endlessList(t, Number.POSITIVE_INFINITY);
    const child = start(['list', '--json', '--url', url], service.options);
    t.after(() => child.kill('SIGKILL'));
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const exited = once(child, 'exit');
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    assert.deepEqual(await exited, [0, null]);
    assert.equal(stderr, '');
  });
});
