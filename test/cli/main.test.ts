import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { versionText } from '../../src/service/build-info.ts';
import { freePort } from '../rig/http/loopback.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { call, run, startRunning } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const BINARY = fileURLToPath(new URL('../../bin/transactions.js', import.meta.url));

transcript(import.meta.url);

test('--version and --help print to standard output with status 0', async (t) => {
  const options = { cwd: temporaryFolder(t).path };
  const transactions = (...args: string[]) => run(args, options);
  assert.equal((await transactions('--version')).stdout, `${versionText()}\n`);
  const nothing = await transactions();
  assert.deepEqual([nothing.status, /Usage: transactions/.test(nothing.stderr)], [2, true]);
  const help = await transactions('--help');
  assert.equal(help.status, 0);
  assert.match(help.stdout, /^Usage: transactions /);
});

test('an older Node prints the required version', async (t) => {
  const old = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' });`;
  const failure = await promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(old)}`, BINARY, '--version'],
    { cwd: temporaryFolder(t).path },
  ).catch((error) => error);
  assert.equal(failure.code, 1);
  assert.match(
    failure.stderr,
    /^transactions needs Node 24\.15 or later, and this is Node 20\.1\.0\. .*"npx --no-install transactions": /,
  );
});

test('demo prints a request for each capability, which works unchanged, and leaves no files', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const { child, output, prints, exited } = startRunning(t, ['demo'], {
    cwd,
    env: { PORT: '0', TMPDIR: cwd },
  });
  await prints('/docs.');
  const commandWith = (text: string) =>
    (output.stdout.split('\n').find((line) => line.includes(text)) ?? '').trim();
  const inShell = (line: string) =>
    promisify(execFile)('sh', ['-c', line.replace('curl', 'curl -s')], { cwd });
  const asStarted = (line: string) => {
    const [, key = '', words = ''] =
      /^TRANSACTIONS_API_KEY=(\S+) npx --no-install transactions (.*)$/.exec(line) ?? [];
    return { args: words.split(' '), options: { cwd, env: { TRANSACTIONS_API_KEY: key } } };
  };
  const command = commandWith('curl');
  const page = JSON.parse((await inShell(command)).stdout);
  assert.equal(page.data.length, 10);
  assert.ok(page.data.every((row: { status: string }) => row.status === 'completed'));
  assert.equal(page.hasMore, true);
  const [, key, url] = /Bearer (\w+)' '(.+)\/v1/.exec(command) as unknown as [string, string, string];
  const webhooks = await call(`${url}/v1/webhooks`, key);
  assert.deepEqual(
    [webhooks.status, await webhooks.json()],
    [200, { data: [], nextCursor: null, hasMore: false }],
  );
  const changes = JSON.parse((await inShell(commandWith('/v1/changes'))).stdout);
  assert.equal(changes.data.length, 2);
  const exporting = asStarted(commandWith(' export '));
  assert.equal((await run(exporting.args, exporting.options)).status, 0);
  assert.equal(readFileSync(`${cwd}/transactions.csv`, 'utf8').trim().split('\n').length, 601);
  rmSync(`${cwd}/transactions.csv`);
  const listening = asStarted(commandWith(' webhooks listen ').replace('8080', String(await freePort())));
  const listener = startRunning(t, listening.args, listening.options);
  await listener.prints('\n600 transaction');
  assert.match(listener.output.stdout, /^599 transaction/m);
  listener.child.kill('SIGINT');
  await listener.exited;
  child.kill('SIGINT');
  assert.deepEqual(await exited, [0, null]);
  assert.deepEqual(readdirSync(cwd), []);
  assert.equal(existsSync(`${cwd}/data`), false);
});

turnTest("demo --live records payments meanwhile, and demo's operator's key works", async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const env = { PORT: '0', TMPDIR: cwd };
  const { child, output, prints, exited } = startRunning(t, ['demo', '--live'], { cwd, env });
  await prints('A payment is recorded');
  const [ofAccount = '', , ofOperator = ''] = output.stdout
    .split('\n')
    .filter((line) => line.includes('curl'));
  const answer = async (command: string) =>
    JSON.parse((await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -s')])).stdout);
  assert.equal((await answer(ofOperator)).data[0].account, 'demo');
  const changes = ofAccount.replace(/\/v1\/transactions\S*'/, "/v1/changes?after=600&wait=30'");
  const [{ type, transaction }] = (await answer(changes)).data;
  assert.match(type, /^transaction\.(pending|completed)$/);
  assert.match(transaction.reference, /^live_\d+$/);
  child.kill('SIGINT');
  assert.deepEqual(await exited, [0, null]);
});
