import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checks, runConformance } from '../../proof/conformance/index.js';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { KEY, type Respond, runCommand, sendPage, startDeployment } from './run-command.ts';

test('the exit status is 1 if a MUST failed, whose report has the expected and actual results and a curl command, and otherwise 0', async (t) => {
  const { url } = await startDeployment(t);
  const run = (only: string) => runCommand('--url', url, '--key', KEY, '--only', only);
  const passed = await run('list.envelope.*');
  assert.match(passed.stdout, /^\d+ passed, 0 failed, \d+ not judged$/m);
  const should = await run('currency.hint');
  assert.match(should.stdout, /^0 passed, 1 SHOULD failed, 0 not judged$/m);
  const must = await run('auth.missing');
  assert.match(must.stdout, /^FAILED {2}MUST {2}auth\.missing$/m);
  assert.match(must.stdout, /^ {2}expected {2}status 401 missing_api_key/m);
  assert.match(must.stdout, /^ {2}got {7}status 200 with 0 items$/m);
  assert.ok(must.stdout.includes(`curl -sS -i -g --path-as-is '${url}/v1/transactions'`));
  assert.deepEqual([passed.status, should.status, must.status], [0, 0, 1]);
});

test('exit status 2: without --allow-http, no key is sent without TLS to another machine', async (t) => {
  const named = (...args: string[]) => runCommand('--url', 'http://service.test', '--key', KEY, ...args);
  const refused = await named('--only', 'auth.missing');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--url is http:\/\/ of another machine, .* --allow-http/);
  const options = { url: 'https://service.test', operatorUrl: 'http://10.0.0.5', key: KEY, operatorKey: KEY };
  await assert.rejects(runConformance(options), /http:\/\/10\.0\.0\.5 is http:\/\/ of another machine/);
  const { url } = await startDeployment(t);
  const plain = url.replace('127.0.0.1', '0.0.0.0');
  const sent = await runCommand('--url', plain, '--key', KEY, '--only', 'list.envelope.*', '--allow-http');
  assert.equal(sent.status, 0);
});

test('--list prints each check that the options choose, with its requirement and rule, and needs no key', async () => {
  const { status, stdout } = await runCommand('--list');
  for (const { id, requirement, rule } of checks) {
    const line = stdout.split('\n').find((one) => one.startsWith(`  ${id} `));
    assert.ok(line?.includes(`  ${requirement} `) && line.includes(rule), id);
  }
  assert.equal(status, 0);
  const chosen = await runCommand('--list', '--level', 'list', '--only', 'date.*,search.*');
  assert.match(chosen.stdout, /^list: \d+ checks\n {2}date\./);
  assert.ok(!chosen.stdout.includes('search.'));
  const none = await runCommand('--list', '--only', 'date.*', '--skip', 'date.*');
  assert.deepEqual([none.status, none.stdout], [2, '']);
});

test('the report begins with the levels and with what to implement next', async (t) => {
  const { url } = await startDeployment(t, (request, response) => {
    if (request.url?.startsWith('/v1/totals')) return void response.writeHead(404).end('{}');
    if (request.url?.startsWith('/v1/changes')) return void response.end('{"data":{}}');
    sendPage(request, response);
  });
  const run = async (...args: string[]) => (await runCommand('--url', url, '--key', KEY, ...args)).stdout;
  const all = await run('--level', 'changes,totals,webhooks', '--max-requests', '60');
  const [, levels = ''] = all.split('\n\n');
  assert.match(levels, /^ {2}changes {3}FAILED {6}\d+ passed, \d+ MUST failed, \d+ not judged$/m);
  assert.match(levels, /^ {2}totals {4}not judged {2}the deployment has no \/v1\/totals$/m);
  assert.match(levels, /^ {2}webhooks {2}not judged {2}needs --operator-url and --operator-key$/m);
  assert.match(all, /^Next: changes, SPEC\.md#changes$/m);
  assert.match(await run('--level', 'totals,webhooks'), /^Next: totals, SPEC\.md#totals$/m);
  const spec = 'https://service.example/guides/spec';
  assert.match(
    await run('--level', 'totals', '--spec', spec),
    /^Next: totals, https:\/\/service\.example\/guides\/spec#totals$/m,
  );
  const failing = ['--only', 'auth.missing', '--spec', spec];
  assert.match(
    await run(...failing),
    /^ {2}rule .* \(https:\/\/service\.example\/guides\/spec#authentication\)$/m,
  );
  const list = await run('--level', 'list', '--only', 'list.envelope.*');
  assert.match(list, /^Conformance of .*\n\n {2}list {6}passed {6}/);
  assert.match(list, /^Next: retrieve, SPEC\.md#retrieve$/m);
  assert.match(await run('--only', 'auth.missing'), /^Next: list, SPEC\.md#authentication$/m);
});

test('exit status 2: the arguments are wrong, and no request is sent', async (t) => {
  const { url, seen } = await startDeployment(t);
  const right = ['--url', url, '--key', KEY];
  const wrong = [
    [],
    ['--url', url],
    ['--key', KEY],
    ['--url', 'nonsense', '--key', KEY],
    ['--url', 'ftp://127.0.0.1', '--key', KEY],
    ['--url', url.replace('//', '//user:password@'), '--key', KEY],
    ['--url', url, KEY],
    ['--url', `${url}/v1`, '--key', KEY],
    [...right, '--operator-url', `${url}/v1/`, '--operator-key', KEY],
    [...right, '--nonsense'],
    [...right, '--only', 'no.such.check'],
    [...right, '--level', 'nonsense'],
    [...right, '--level', 'totals', '--only', 'list.*'],
    [...right, '--format', 'pdf'],
    [...right, '--seed', 'x'],
    [...right, '--spec', 'SPEC.md'],
    [...right, '--max-requests', '0'],
    [...right, '--operator-url', url],
    [...right, '--operator-key', KEY],
  ];
  for (const args of wrong) {
    const { status, stdout, stderr } = await runCommand(...args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /Usage: transactions-conformance/);
    assert.ok(!stderr.includes(KEY));
  }
  assert.equal(seen.length, 0);
});

test("exit status 3: the operator's interface refuses the operator's key", async (t) => {
  for (const status of [401, 403]) {
    const operator = await startDeployment(t, (_, response) => {
      response.statusCode = status;
      response.end();
    });
    const { url } = await startDeployment(t);
    const interface_ = ['--operator-url', operator.url, '--operator-key', 'tk_operator_wrong'];
    const refused = await runCommand('--url', url, '--key', KEY, ...interface_, '--only', 'own.*');
    assert.match(
      refused.stdout,
      new RegExp(
        `^The deployment refuses the operator's key, which needs the scopes record and keys: status ${status}\\. Nothing was judged\\. Try: curl .*$`,
        'm',
      ),
    );
    assert.equal(refused.status, 3);
  }
});

test('exit status 3: the deployment refuses the key, or cannot be reached', async (t) => {
  const { url } = await startDeployment(t, (_, response) => response.writeHead(401).end('{}'));
  const refused = await runCommand('--url', url, '--key', KEY);
  assert.match(
    refused.stdout,
    /^The deployment refuses the key: status 401\. Nothing was judged\. Try: curl .* "Authorization: Bearer \$KEY" '.*\/v1\/transactions'$/m,
  );
  assert.doesNotMatch(refused.stdout, /0 passed/);
  assert.equal(refused.status, 3);
  const withSecond = await startDeployment(t, (request, response) => {
    if (request.headers.authorization !== `Bearer ${KEY}`) response.statusCode = 401;
    sendPage(request, response);
  });
  const { exitCode, stopped } = await runConformance({
    url: withSecond.url,
    key: KEY,
    secondKey: 'other-key',
    only: ['list.*'],
  });
  assert.equal(exitCode, 3);
  assert.match(stopped ?? '', /^The deployment refuses the second key: status 401 .* \$SECOND_KEY/);
  const unreachable = await runCommand('--url', 'http://127.0.0.1:1', '--key', KEY);
  assert.match(unreachable.stdout, /^The deployment cannot be reached: ECONNREFUSED\. Nothing was judged\./m);
  assert.equal(unreachable.status, 3);
});

test('exit status 2: both keys belong to one account, even if they differ', async (t) => {
  const { url } = await startDeployment(t, (request, response) => {
    if (request.url === '/v1/key') return void response.end('{"account":"store-1"}');
    sendPage(request, response);
  });
  for (const secondKey of [KEY, `${KEY}2`]) {
    const { exitCode, stopped, results } = await runConformance({ url, key: KEY, secondKey });
    assert.deepEqual([exitCode, results], [2, []]);
    assert.match(stopped ?? '', /--second-key is a key of the same account/);
  }
});

test('no report has a key or a part of one, even where keys are altered and echoed', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const { url } = await startDeployment(t, (request, response) => {
    response.writeHead(request.headers.authorization === `Bearer ${KEY}` ? 200 : 418);
    response.end(JSON.stringify({ code: request.headers.authorization, data: [] }));
  });
  for (const format of ['text', 'json']) {
    const file = join(folder.path, format);
    const keys = ['--key', KEY, '--second-key', `${KEY}2`];
    await runCommand('--url', url, ...keys, '--format', format, '--output', file);
    const report = readFileSync(file, 'utf8');
    assert.ok(report.includes('$KEY') || report.includes('${KEY'), format);
    assert.ok(report.includes('auth.invalid'), format);
    assert.ok(!report.includes(KEY.slice(10, 30)), format);
  }
});

test('after a refusal, the kit waits for Retry-After and sends the request again', async (t) => {
  const { url, seen } = await startDeployment(t, (request, response, count) => {
    if (count > 1) return sendPage(request, response);
    response.writeHead(429, { 'retry-after': '1' }).end('{}');
  });
  const startedMs = performance.now();
  const { results } = await runConformance({ url, key: KEY, only: ['list.envelope.status'] });
  assert.ok(performance.now() - startedMs >= 1000);
  assert.deepEqual([seen.length, results[0]?.outcome], [3, 'passed']);
});

test('a check whose request is refused for more than a minute is not judged, and the others go on', async (t) => {
  const { url } = await startDeployment(t, (request, response, count) => {
    if (count !== 2) return sendPage(request, response);
    response.writeHead(429, { 'retry-after': '3600' }).end('{"code":"too_many_exports"}');
  });
  const only = ['list.envelope.status', 'list.envelope.json'];
  const { results } = await runConformance({ url, key: KEY, only, maxTimeSeconds: 9 });
  assert.deepEqual(results.map(({ outcome }) => outcome).sort(), ['not judged', 'passed']);
  assert.match(
    results.find(({ reason }) => reason !== undefined)?.reason ?? '',
    /^GET \/v1\/\S+ has status 429 too_many_exports and can be tried again only after 3600 s$/,
  );
});

test('at most maxRequests requests are sent, and the remaining checks are not judged', async (t) => {
  const { url, seen } = await startDeployment(t);
  const { results, summary } = await runConformance({ url, key: KEY, maxRequests: 20 });
  assert.equal(seen.length, 20);
  assert.ok(results.some(({ reason }) => reason === 'the limit of 20 requests is reached'));
  assert.ok(summary.notJudged > 50);
});

test('a run stops at maxTimeSeconds, even during a Retry-After or an endless response', async (t) => {
  const ways: Respond[] = [
    (_, response) => response.writeHead(429, { 'retry-after': '60' }).end(),
    () => undefined,
    (_, response) => response.write('{'),
  ];
  for (const respond of ways) {
    const { url } = await startDeployment(t, respond);
    const report = await runConformance({ url, key: KEY, maxTimeSeconds: 2 });
    assert.deepEqual([report.exitCode, report.results.length], [3, 0]);
    assert.match(report.stopped ?? '', /time limit/);
  }
});

test('with a key alone, only GET, HEAD and other safe methods are sent with it', async (t) => {
  const { url, seen } = await startDeployment(t);
  await runConformance({ url, key: KEY });
  const methods = seen
    .filter(({ headers }) => headers.authorization !== undefined)
    .map(({ method }) => method);
  assert.deepEqual([...new Set(methods)].sort(), ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH']);
});
