import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { type Certificate, createAuthority } from '../rig/http/certificate.ts';
import { freePort, listenOn, serveHttp } from '../rig/http/loopback.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { run, start } from '../rig/service/process.ts';

describe('list', () => {
  const csv = sampleCsv(300);
  const expected = expectedRows(csv, 'store-1');
  const service = importedService(csv);

  const list = (args: readonly string[], env: Record<string, string> = {}) =>
    service.run(['list', ...args], { env });

  test('https in place of http is reported, and a terminal shows when a search is being retried', async () => {
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

  test('the error for an expired certificate, or one of an unknown authority, says how to fix it', async (t) => {
    const authority = createAuthority();
    writeFileSync(join(service.folder, 'authority.pem'), authority.cert);
    const listWith = async (certificate: Certificate, env: Record<string, string>) => {
      const url = (await listenOn(t, createServer(certificate))).replace('http:', 'https:');
      const child = start(['list', '--url', url], {
        cwd: service.folder,
        env: { TRANSACTIONS_API_KEY: service.key, ...env },
      });
      return text(child.stderr as NodeJS.ReadableStream);
    };
    const trusted = { NODE_EXTRA_CA_CERTS: join(service.folder, 'authority.pem') };
    const old = await listWith(authority.issue('127.0.0.1', 'expired'), trusted);
    assert.match(old, /certificate has expired\. Renew the certificate/);
    assert.match(await listWith(authority.issue('127.0.0.1'), {}), /set NODE_EXTRA_CA_CERTS to its file/);
    assert.match(await listWith(authority.issue('other.example'), trusted), / Give another URL with --url/);
  });

  function endlessList(t: TestContext, pages: number, rows = 10): Promise<string> {
    let page = 0;
    return serveHttp(t, (_request, response) => {
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
    const one = await list(['--json', '--url', await endlessList(t, 1, 1)]);
    assert.match(one.stderr, /\nThe list is incomplete: it ends after 1 transaction\.\n$/);
  });

  test('yesterday is relative to the clock of the service; a warning is printed if the clocks differ by more than two minutes', async (t) => {
    const DAY_MS = 86_400_000;
    const queries: URLSearchParams[] = [];
    let behindMs = DAY_MS;
    const url = await serveHttp(t, (request, response) => {
      queries.push(new URL(request.url ?? '', 'http://service').searchParams);
      const now = new Date(Date.now() - behindMs);
      response.setHeader('date', now.toUTCString()).setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          ...{ data: [], asOf: 0, asOfId: null },
          ...{ nextCursor: null, hasMore: false, searchedBackTo: now.toISOString() },
        }),
      );
    });
    const search = async () => {
      queries.length = 0;
      const days = [Date.now(), 0];
      const { stderr } = await service.run(['search', 'yesterday', '--url', url]);
      days[1] = Date.now();
      const of = (timeMs: number) => new Date(timeMs - behindMs - DAY_MS).toISOString().slice(0, 10);
      const last = queries.at(-1)?.get('paidFrom');
      assert.ok(last != null && days.map(of).includes(last), last ?? 'no day');
      return stderr;
    };
    assert.match(
      await search(),
      /^The clock of this device is 1,440 minutes ahead of the clock of the service, which decides what today is\.\n/,
    );
    assert.ok(queries.length >= 2);
    behindMs = -DAY_MS;
    assert.match(
      await search(),
      /^The clock of this device is 1,440 minutes behind the clock of the service/,
    );
    behindMs = 100_000;
    assert.doesNotMatch(await search(), /clock/);
  });
});
