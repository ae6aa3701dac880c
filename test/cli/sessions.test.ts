import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditEntry } from '../../src/audit/audit.ts';
import { exchangeCode } from '../../src/keys/session.ts';
import { secureRandomBytes } from '../../src/service/random-bytes.ts';
import { openStore } from '../../src/store/open-store.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run } from '../rig/service/process.ts';
import { someStamp } from '../rig/store/audit.ts';
import { transcript } from '../rig/transcript/transcript.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';

transcript(import.meta.url);

test('a session that was opened is listed so, and ends by its key, with all sessions of its person, or after a restore', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  await createDatabase({ cwd });
  const printed = async (...args: string[]) => (await run(args, { cwd })).stdout;
  const create = async (person: string): Promise<string> =>
    JSON.parse(await printed('sessions', 'create', '--account', 'store-1', '--person', person, '--json'))
      .code;
  const states = async () =>
    jsonLines(await printed('sessions', 'list', '--account', 'store-1', '--json')).map(({ state }) => state);
  /** Exchanges a code as the service does. Returns the key. */
  const open = async (code: string): Promise<string | undefined> => {
    const { store } = await openStore(`sqlite:${cwd}/data/transactions.db`, Date.now);
    const stamp = () => ({ ...someStamp(Date.now()), via: 'api' as const });
    const opened = await exchangeCode(store, code, stamp, secureRandomBytes);
    await store.close();
    return opened?.key;
  };
  const [first, second, third] = [await create('ada'), await create('ben'), await create('eve')];
  assert.equal((await states()).filter((state) => state === 'waiting').length, 3);
  const key = (await open(first)) as string;
  assert.equal(await open(first), undefined);
  assert.ok((await open(second)) && (await open(third)));
  assert.deepEqual(await states(), ['open', 'open', 'open']);
  assert.match((await run(['verify'], { cwd })).stdout, /no disagreement/);
  assert.match(await printed('access', '--account', 'store-1'), /^session +/m);

  const revoked = await run(['keys', 'revoke', '-'], { cwd, stdin: `${key}\n` });
  assert.deepEqual([revoked.status, revoked.stdout.includes(key)], [0, false]);
  assert.equal(
    await printed('sessions', 'end', '--account', 'store-1', '--person', 'ben'),
    '1 session of account store-1 ended.\n',
  );
  assert.deepEqual((await states()).sort(), ['ended', 'ended', 'open']);
  assert.match(await printed('audit', '--person', 'ada'), /session\.opened/);
});

test('the trail of a person has what a session of theirs changed, which does not name them, and nothing that others changed', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  await createDatabase({ cwd });
  const printed = async (...args: string[]) => (await run([...args, '--json'], { cwd })).stdout;
  const idOf = async (person: string): Promise<string> =>
    JSON.parse(await printed('sessions', 'create', '--account', 'store-1', '--person', person)).id;
  const actors = [await idOf('ada'), await idOf('ben'), 'key_0000000000000001'];
  const { store } = await openStore(`sqlite:${cwd}/data/transactions.db`, Date.now);
  for (const [index, actor] of actors.entries()) {
    const created = webhook(index);
    const stamp = { ...someStamp(Date.now()), via: 'api' as const, actor };
    await store.createWebhook(created, 20, auditEntry(stamp, 'endpoint.created', 'store-1', created.id));
  }
  await store.close();
  const entries = jsonLines(await printed('audit', '--person', 'ada'));
  assert.deepEqual(
    entries.map(({ action, subject }) => [action, subject]),
    [
      ['session.created', actors[0]],
      ['endpoint.created', webhook(0).id],
    ],
  );
});
