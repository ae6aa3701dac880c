import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { describe, test } from 'node:test';
import { jsonLines } from '../rig/data/json-lines.ts';
import { noteKey } from '../rig/database/isolation.ts';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, createKey, type Outcome, run, type Served, startServe } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const PASSWORD = `pass-${randomBytes(12).toString('hex')}`;
const URL_TOKEN = `token-${randomBytes(12).toString('hex')}`;
const CURSOR_SECRET = `seal-${randomBytes(16).toString('hex')}`;
const OLD_CURSOR_SECRET = `seal-${randomBytes(16).toString('hex')}`;
const LIST = '/v1/transactions';
const TRANSACTION = {
  status: 'pending',
  amount: '17.23',
  currencyCode: 'CHF',
  createdAt: '2026-03-01T00:00:00Z',
};

function refuseSecrets(captured: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    assert.ok(secret.length >= 5, `${secret} is too short to be found`);
    const at = captured.indexOf(secret);
    assert.equal(at, -1, `${secret} is in: ${captured.slice(Math.max(0, at - 200), at + 200)}`);
  }
}

function shownBySystem({ child }: Served): string {
  const files = ['cmdline', 'comm', 'status', 'stat', 'wchan'].map((name) => `/proc/${child.pid}/${name}`);
  return files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

async function useService(served: Served, key: string, operatorKey: string) {
  const operator = served.operatorUrl;
  const refusals: string[] = [];
  const refused = async (answer: Promise<Response>) => {
    const { status, headers, text } = await answer.then(async (one) => ({
      status: one.status,
      headers: [...one.headers].join('\n'),
      text: await one.text(),
    }));
    assert.ok(status >= 400, `${status} ${text}`);
    refusals.push(headers, text);
  };
  const put = (name: string, body: object) =>
    call(`${operator}/v1/accounts/store-1/transactions/store-1.${name}`, operatorKey, {
      method: 'PUT',
      json: body,
    });
  for (let index = 0; index < 12; index++) assert.equal((await put(`row-${index}`, TRANSACTION)).status, 201);
  await refused(put('row-1', { ...TRANSACTION, amount: '17.24' }));

  const made = await call(`${operator}/v1/accounts/store-1/keys`, operatorKey, {
    method: 'POST',
    json: { label: 'till', scopes: ['read', 'webhooks'] },
  });
  const { key: secondKey } = (await made.json()) as { key: string };
  noteKey(secondKey, 'store-1');
  const page = await call(`${served.url}${LIST}?currency=CHF`, secondKey);
  const { nextCursor } = (await page.json()) as { nextCursor: string };
  const cursor = `cursor=${nextCursor}`;
  assert.equal((await call(`${served.url}${LIST}?${cursor}`, key)).status, 200);

  const webhookSecrets = await useWebhooks(served.url, secondKey, refused);
  await refused(call(`${served.url}${LIST}?${cursor}x`, key));
  await refused(call(`${served.url}${LIST}?${cursor}&currency=EUR`, key));
  await refused(call(`${served.url}${LIST}?${cursor}`, `${key}x`));
  await refused(call(`${served.url}${LIST}?${cursor}`, operatorKey));
  await refused(call(`${operator}/v1/batch`, key, { method: 'POST', body: key }));
  await refused(call(`${served.url}/v1/%zz?${cursor}`, key));
  await refused(call(`${served.url}${LIST}?${cursor}`, key, { method: 'DELETE' }));
  return { refusals, secrets: [key, operatorKey, secondKey, nextCursor, ...webhookSecrets] };
}

async function useWebhooks(url: string, key: string, refused: (answer: Promise<Response>) => Promise<void>) {
  const webhooks = `${url}/v1/webhooks`;
  const post = (path: string, json?: object) =>
    call(webhooks + path, key, { method: 'POST', ...(json && { json }) });
  const created = await post('', { url: `https://shop.invalid/${URL_TOKEN}?token=${URL_TOKEN}` });
  const { id, secret } = (await created.json()) as { id: string; secret: string };
  const rotated = (await (await post(`/${id}/rotate-secret`)).json()) as { secret: string };
  const tested = (await (await post(`/${id}/test`)).json()) as { delivered: boolean };
  assert.equal(tested.delivered, false);
  await refused(post('', { url: `http://127.0.0.1/${URL_TOKEN}`, label: 1 }));
  await refused(post('', { url: `https://user:${URL_TOKEN}@shop.invalid` }));
  await refused(post(`/${id}/replay`, { after: 1_000_000 }));
  for (const one of [webhooks, `${webhooks}/${id}`]) {
    const text = await (await call(one, key)).text();
    refuseSecrets(text, [secret, rotated.secret]);
  }
  return [secret, rotated.secret, URL_TOKEN];
}

transcript(import.meta.url);

describe('no secret is disclosed', () => {
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    test(`by a service on ${engine}: in logs, error responses, metrics, and what the system shows of the process`, async (t) => {
      const folder = temporaryFolder(t);
      let databaseUrl = `sqlite:${folder.path}/transactions.db`;
      if (engine === 'PostgreSQL') {
        const url = new URL(await makePostgresDatabase());
        url.password = PASSWORD;
        databaseUrl = url.href;
      }
      const settings = {
        DATABASE_URL: databaseUrl,
        CURSOR_SECRETS: `${CURSOR_SECRET},${OLD_CURSOR_SECRET}`,
        LOG_LEVEL: 'trace',
        OPERATOR_PORT: '0',
      };
      const options = { cwd: folder.path, env: settings };
      const key = await createKey('store-1', options);
      const created = await run(['keys', 'create', '--operator', '--json'], options);
      const { key: operatorKey } = JSON.parse(created.stdout) as { key: string };
      const served = await startServe(options);
      t.after(() => served.child.kill('SIGKILL'));
      let stdout = '';
      served.child.stdout?.on('data', (piece) => (stdout += piece));
      const { refusals, secrets } = await useService(served, key, operatorKey);
      const metrics = await (await fetch(`${served.operatorUrl}/metrics`)).text();
      const shown = shownBySystem(served);

      const commands: Outcome[] = [created, await run(['keys', 'list'], options)];
      const listing = { ...options, env: { ...settings, TRANSACTIONS_API_KEY: key } };
      commands.push(await run(['list', '--url', served.url], listing));
      commands.push(await run(['list', '--url', served.url, '--currency', 'XYZ'], listing));
      commands.push(
        await run(['webhooks', 'failures', 'we_0000000000000000', '--account', 'store-1'], options),
      );
      await served.stop();
      commands.push(await run(['list', '--url', served.url], listing));

      const printed = commands.map(({ stderr }) => stderr).join('\n') + commands[1]?.stdout;
      const captured = [served.logged(), ...refusals, metrics, shown, printed].join('\n');
      assert.equal(stdout, '', 'the log is on standard error alone');
      assert.ok(jsonLines(served.logged()).length > 20 && shown.includes('serve'));
      refuseSecrets(captured, [...secrets, CURSOR_SECRET, OLD_CURSOR_SECRET, PASSWORD]);
      refuseSecrets(`${served.logged()}${metrics}`, ['2026-03-01T00:00:00', '"CHF"', '"17.23"']);
      refuseSecrets(metrics, ['store-1']);
    });
  }

  test('by a diagnostic report of Node, which excludes the environment', async (t) => {
    const folder = temporaryFolder(t);
    const settings = {
      CURSOR_SECRETS: CURSOR_SECRET,
      NODE_OPTIONS: `--report-on-signal --report-signal=SIGUSR2 --report-directory=${folder.path}`,
    };
    const served = await startServe({ cwd: folder.path, env: settings });
    t.after(() => served.child.kill('SIGKILL'));
    const watcher = watch(folder.path);
    served.child.kill('SIGUSR2');
    const reports = () => readdirSync(folder.path).filter((name) => /^report\..*\.json$/.test(name));
    while (reports().length === 0) await once(watcher, 'change');
    watcher.close();
    await served.stop();
    const text = readFileSync(`${folder.path}/${reports()[0]}`, 'utf8');
    assert.ok(text.length > 1000);
    refuseSecrets(text, [CURSOR_SECRET, 'CURSOR_SECRETS']);
  });
});
