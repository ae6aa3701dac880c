import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { anchorOf, plain } from '../../release/pages/guides.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { tagged } from '../rig/database/isolation.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier, someInTier } from '../rig/run/tier.ts';
import { runAll, startServe } from '../rig/service/process.ts';

/* Runs the blocks of the documents in RUN: all `sh` blocks, and the `ts` blocks that use the client. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

const DOCUMENTS = FILES.filter((path) => path.endsWith('.md'));

const ELSEWHERE = new Set([
  'npm ci && npm test',
  'npm ci && npx --no-install transactions demo',
  'STATUSES=refunded:paid,chargeback:paid OPERATOR_PORT=3001 npm start',
  'OPERATOR_PORT=3001 npm start',
  'WEBHOOK_NETWORKS=127.0.0.1/32 WEBHOOK_HTTP=true npm start',
  'OPERATOR_PORT=3001 PUBLIC_URL=http://127.0.0.1:3000/ npm start',
  'TRANSACTIONS_OPERATOR_URL=http://127.0.0.1:3001 TRANSACTIONS_OPERATOR_KEY=$SESSIONS_KEY node platform.mjs',
  'npx --no-install transactions sessions list --account store-1',
  'npx --no-install transactions audit --person ada@shop.example',
  'npm pack ./client',
  'npm install http://127.0.0.1:3000/client/transactions-client-0.1.0.tgz',
  'curl -O http://127.0.0.1:3000/client/transactions-client.mjs -O http://127.0.0.1:3000/client/transactions-client.d.mts',
  'curl -O http://127.0.0.1:3000/client/transactions-platform.mjs -O http://127.0.0.1:3000/client/transactions-platform.d.mts',
  'node transactions.mjs webhooks listen --forward-to http://127.0.0.1:8080/ --after 0 --secret "$SECRET"',
  `curl -H "Authorization: Bearer $KEY" 'http://127.0.0.1:3000/v1/transactions?cursor=NEXT_CURSOR'`,
  'npm start',
  'node_modules/.bin/node bin/transactions.js copy --from "$OLD" --to "$NEW" --follow',
  'npx --no-install transactions erase --account store-1',
  'kill -INT "$COPY_PID"',
  'DATABASE_URL="$NEW" npx --no-install transactions verify',
  'DATABASE_URL="$NEW" npx --no-install transactions migrate',
  'DATABASE_URL="$NEW" npx --no-install transactions keys create --account store-1',
  'DATABASE_URL="$NEW" npm start',
  'node copy.mts',
  'WEBHOOK_SECRET=$SECRET node receiver.mts',
  'TRANSACTIONS_OPERATOR_URL=http://127.0.0.1:3001 TRANSACTIONS_OPERATOR_KEY=$WAREHOUSE_KEY WAREHOUSE_URL=postgres:///warehouse node warehouse.mts',
]);

const KIT_SHARE = inTier({ short: 1, long: 0 }) === 1 ? " --only 'list.*'" : '';

interface Command {
  document: string;
  line: string;
}

function commandsOf(document: string): Command[] {
  const text = readFileSync(resolve(ROOT, document), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map((line) => ({ document, line: line.trim() })),
  );
}

const RUN = new Set(['README.md', ...someInTier(DOCUMENTS, Math.ceil(DOCUMENTS.length / 8))]);

const withoutBlocks = (document: string) =>
  readFileSync(resolve(ROOT, document), 'utf8').replaceAll(/```[\s\S]*?```/g, '');

function anchorsOf(document: string): Set<string> {
  const text = withoutBlocks(document);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(plain(heading)));
  return new Set([...headings, ...[...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)]);
}

const commands = DOCUMENTS.flatMap(commandsOf);

const programs = DOCUMENTS.flatMap((document) => {
  const text = readFileSync(resolve(ROOT, document), 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, program = '']) => ({ document, program }))
    .filter(({ program }) => /from 'transactions-client(\/platform)?'/.test(program))
    .filter(({ program }) => !program.includes("from 'pg'"));
});

async function makeDatabase() {
  const folder = temporaryFolder();
  writeFileSync(`${folder.path}/payments.csv`, csvFile(csvLine()));
  const batched = { account: 'store-1', merchantReference: 'a\u2028b', status: 'pending', amount: '12.50' };
  const line = {
    ...batched,
    reference: 'pay_000003',
    currencyCode: 'EUR',
    createdAt: '2026-03-30T09:30:00.000Z',
  };
  writeFileSync(`${folder.path}/payments.ndjson`, `${JSON.stringify(line)}\n`);
  mkdirSync(`${folder.path}/docs`);
  cpSync(`${ROOT}/docs/payments.csv`, `${folder.path}/docs/payments.csv`);
  writeFileSync(
    `${folder.path}/bank.csv`,
    'Verwendungszweck;Betrag;Währung;Buchungstag\norder-1;12,50;EUR;02.03.2026\n',
  );
  const made = await runAll(
    [
      { args: ['import', 'payments.csv'] },
      { args: ['keys', 'create', '--account', 'store-1', '--scopes', 'read,webhooks', '--json'] },
      { args: ['keys', 'create', '--operator', '--json'] },
      { args: ['keys', 'create', '--operator', '--scopes', 'read', '--json'] },
    ],
    { cwd: folder.path },
  );
  const [key, operator, support] = made
    .slice(1)
    .map(({ stdout }) => JSON.parse(stdout) as { id: string; key: string });
  assert.ok(key && operator && support);
  return { folder, id: key.id, keys: { KEY: key.key, PLATFORM_KEY: operator.key, SUPPORT_KEY: support.key } };
}

let database: ReturnType<typeof makeDatabase> | undefined;

async function prepare() {
  database ??= makeDatabase();
  const { folder: made, id, keys } = await database;
  const folder = temporaryFolder();
  cpSync(made.path, folder.path, { recursive: true });
  const served = await startServe({
    cwd: folder.path,
    env: { OPERATOR_PORT: '0', STATUSES: 'refunded:paid,chargeback:paid' },
  });
  const env: Record<string, string> & typeof keys = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    PORT: new URL(served.url).port,
    ...keys,
  };
  const remove = async () => {
    await served.stop();
    folder.remove();
  };
  const { url, operatorUrl } = served;
  return { path: folder.path, url, operatorUrl, id, webhookId: '', env, remove };
}

const prepared = new Map<string, ReturnType<typeof prepare>>();

function preparedFor(document: string): ReturnType<typeof prepare> {
  const ready = prepared.get(document) ?? prepare();
  prepared.set(document, ready);
  return ready;
}

const capitalised = (head: string) =>
  head.replaceAll(/^[\w-]+(?=:)/gm, (name) => name.replaceAll(/\b\w/g, (letter) => letter.toUpperCase()));

async function firstOutput(options: { cwd: string; env: Record<string, string>; timeout: number }) {
  const child = spawn(process.execPath, ['program.mts'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const ended = closed.then(() => ['']);
  const [printed] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended]);
  child.kill();
  await closed;
  return String(printed);
}

describe('the documents', () => {
  // In `describe`, so that this runs before the hook of `atEnd`, which kills the services.
  after(async () => {
    for (const ready of prepared.values()) await (await ready).remove();
    (await database)?.folder.remove();
  });

  const runnable = commands.filter(({ document, line }) => RUN.has(document) && !ELSEWHERE.has(line));
  test('contain commands to run', () => assert.ok(runnable.length > 0));

  for (const { document, line } of runnable) {
    test(`${document}: ${line}`, async () => {
      const ready = await preparedFor(document);
      const { path, url, operatorUrl, id, webhookId, env } = ready;
      const headers = `${path}/headers.txt`;
      const [exportId = ''] = existsSync(headers)
        ? (/exp_\w+/.exec(readFileSync(headers, 'utf8')) ?? [])
        : [];
      // The commands must also work behind proxies, such as Caddy, that capitalise header names.
      if (existsSync(headers)) writeFileSync(headers, capitalised(readFileSync(headers, 'utf8')));
      const script = line
        .replaceAll('exp_0123456789abcdef', exportId)
        .replaceAll('http://127.0.0.1:3000', url)
        .replaceAll('http://127.0.0.1:3001', operatorUrl)
        .replaceAll('KEY_ID', id)
        .replaceAll('we_0123456789abcdef', webhookId)
        .replaceAll('tx_000012', tagged('store-1', 'pay_1'))
        .replaceAll('--after 25', '--after 0')
        .replace(/changes\?after=\d+(&afterId=[\w-]+)?/, 'changes?after=0')
        .replaceAll(
          'npx --no-install transactions-conformance',
          `"${process.execPath}" "${ROOT}/proof/conformance/bin/transactions-conformance.js"${KIT_SHARE}`,
        )
        .replaceAll('npx --no-install transactions ', `"${process.execPath}" "${ROOT}/bin/transactions.js" `)
        // If these commands find nothing, they print only to standard error.
        .replace(/^.* (archive|reconcile) .*$/, '$& 2>&1')
        .replace(/^curl /, 'curl --fail-with-body --silent --show-error ');
      const isSetting = script.startsWith('export ');
      const printed = execFileSync('sh', ['-c', isSetting ? `${script} && env` : script], {
        cwd: path,
        encoding: 'utf8',
        env,
        timeout: GIVE_UP_MS,
      });
      if (isSetting) {
        const names = [...script.matchAll(/(\w+)=/g)].map(([, name = '']) => name);
        for (const name of names) env[name] = new RegExp(`^${name}=(.*)$`, 'm').exec(printed)?.[1] ?? '';
      }
      ready.webhookId = /we_\w{16}/.exec(printed)?.[0] ?? webhookId;
      const [, file] =
        / (?:>>?|--output) ([\w./-]+)/.exec(script) ?? /^curl .*-O \S*\/([\w.-]+)/.exec(script) ?? [];
      const written = file === undefined ? printed : readFileSync(`${path}/${file}`, 'utf8');
      assert.ok(written.length > 0, 'the command printed nothing');
    });
  }

  for (const [index, { document, program }] of programs.entries()) {
    if (!RUN.has(document)) continue;
    test(`${document}: program ${index + 1} runs and prints`, async () => {
      const { path, url, operatorUrl, env } = await preparedFor(document);
      const entry = (name: string) => `'${pathToFileURL(`${ROOT}/client/src/${name}.ts`).href}'`;
      const source = program
        .replace("'transactions-client'", entry('index'))
        .replace("'transactions-client/platform'", entry('platform'))
        .replace('.listen(8080', '.listen(0');
      writeFileSync(`${path}/program.mts`, source);
      const options = {
        cwd: path,
        env: {
          ...env,
          TRANSACTIONS_URL: url,
          TRANSACTIONS_API_KEY: env.KEY,
          TRANSACTIONS_OPERATOR_URL: operatorUrl,
          TRANSACTIONS_OPERATOR_KEY: env.PLATFORM_KEY,
          WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
        },
        timeout: GIVE_UP_MS,
      };
      const isEndless = program.includes('.follow(') || program.includes('.listen(');
      const printed = isEndless
        ? await firstOutput(options)
        : execFileSync(process.execPath, ['program.mts'], { ...options, encoding: 'utf8' });
      assert.ok(printed.length > 0, 'the program printed nothing');
    });
  }

  test('mark the beginning and the end of each part that only a clone has', () => {
    for (const document of DOCUMENTS) {
      const marks = readFileSync(resolve(ROOT, document), 'utf8').match(/<!--[\s\S]*?-->/g) ?? [];
      assert.match(marks.join(''), /^(?:<!-- clone --><!-- \/clone -->)*$/, document);
    }
  });

  for (const document of DOCUMENTS) {
    test(`${document}: the targets of its links exist, including headings`, () => {
      const text = withoutBlocks(document);
      for (const [, path = '', heading] of text.matchAll(/\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]+))?\)/g)) {
        const target = path === '' ? document : relative(ROOT, resolve(ROOT, dirname(document), path));
        assert.ok(existsSync(resolve(ROOT, target)), `${target} does not exist`);
        if (heading === undefined || !target.endsWith('.md')) continue;
        assert.ok(anchorsOf(target).has(heading), `${target} has no heading ${heading}`);
      }
    });
  }
});
