import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Change } from '../../client/src/index.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { refuse, type ScriptedFeed, scriptedChange, scriptedFeed } from '../rig/data/scripted-feed.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run, startRunning } from '../rig/service/process.ts';

const KEY = 'tk_live_0000000000000000000000000000002C8GjS';
const folder = temporaryFolder();
after(folder.remove);

const rowsOf = (ndjson: string): Change[] => jsonLines(ndjson);
const sequencesOf = (ndjson: string) => rowsOf(ndjson).map(({ sequence }) => sequence);
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

async function changes(args: readonly string[], env: Record<string, string> = {}) {
  const outcome = await run(['changes', ...args], {
    cwd: folder.path,
    env: { TRANSACTIONS_API_KEY: KEY, ...env },
  });
  assert.ok(!(outcome.stdout + outcome.stderr).includes(KEY));
  return outcome;
}

function running(t: TestContext, args: readonly string[], key = KEY) {
  const env = { TRANSACTIONS_API_KEY: key };
  const started = startRunning(t, args, { cwd: folder.path, env });
  const stop = async () => {
    started.child.kill('SIGTERM');
    assert.deepEqual(await started.exited, [0, null], started.output.stderr);
  };
  return { ...started, stop };
}

const follow = (t: TestContext, args: readonly string[], key?: string) =>
  running(t, ['changes', '--follow', ...args], key);

test('changes without --follow ends at the head of the first response, even if changes are recorded meanwhile', async (t) => {
  const feed = await scriptedFeed(t, 1500);
  feed.intercept = (request) => {
    if (request > 1) for (let more = 0; more < 10; more++) feed.record();
    return false;
  };
  const { status, stdout } = await changes(['--json', '--url', feed.url]);
  assert.deepEqual([status, sequencesOf(stdout)], [0, numbers(1, 1500)]);
  assert.ok(feed.changes.length > 1500);
});

test('changes --follow prints changes until a stop signal, then exits with status 0 and says how to continue', async (t) => {
  const feed = await scriptedFeed(t, 3);
  const { output, lines, stop } = follow(t, ['--json', '--after', '1', '--url', feed.url]);
  await lines(2);
  for (const head of [4, 5]) {
    await feed.waiting();
    feed.record();
    await lines(head - 1);
  }
  await feed.waiting();
  await stop();
  assert.deepEqual(sequencesOf(output.stdout), [2, 3, 4, 5]);
  assert.equal(output.stderr, 'The last sequence number is 5: continue with --after 5 --after-id chg_5.\n');
});

test('changes --follow continues after an outage, and reports its beginning and its end once', async (t) => {
  const feed = await scriptedFeed(t, 3);
  feed.intercept = (request, response) => {
    if (request === 2) response.destroy();
    else if (request === 3) refuse(response, 503, 'unavailable', 'Restarting.');
    return request === 2 || request === 3;
  };
  const { output, lines, stop } = follow(t, ['--json', '--url', feed.url]);
  await feed.waiting();
  const notes = `The service at ${feed.url} does not answer (UND_ERR_SOCKET). Trying again until it does.
The service at ${feed.url} answers again.
`;
  feed.record();
  await lines(4);
  await stop();
  assert.deepEqual(sequencesOf(output.stdout), [1, 2, 3, 4]);
  assert.equal(
    output.stderr,
    `${notes}The last sequence number is 4: continue with --after 4 --after-id chg_4.\n`,
  );
});

function restore(feed: ScriptedFeed): void {
  const other = (sequence: number) => ({ ...scriptedChange(sequence), id: `other_${sequence}` });
  feed.changes = [...feed.changes.slice(0, 3), other(4)];
  feed.record();
  feed.changes[4] = other(5);
}

for (const [from, position] of [
  [0, []],
  [3, ['--after', '3', '--after-id', 'chg_3']],
] as const) {
  test(`after a restore, changes --follow --json prints the rewind after ${from} as an object that is not a change, and continues`, async (t) => {
    const feed = await scriptedFeed(t, 6);
    const before = feed.changes.slice(from);
    const { output, lines, stop } = follow(t, ['--json', '--url', feed.url, ...position]);
    await feed.waiting();
    restore(feed);
    await lines(before.length + 3);
    await feed.waiting();
    await stop();
    const rewind = { rewind: { lastSequence: 3, lastId: 'chg_3' } };
    assert.deepEqual(jsonLines(output.stdout), [...before, rewind, ...feed.changes.slice(3)]);
    assert.equal(
      output.stderr,
      'The last sequence number is 5: continue with --after 5 --after-id other_5.\n',
    );
  });
}

test('after a restore, the table of changes --follow has a sentence about the rewind between its lines', async (t) => {
  const feed = await scriptedFeed(t, 4);
  const { output, lines, stop } = follow(t, ['--after', '2', '--url', feed.url]);
  await feed.waiting();
  restore(feed);
  await lines(6);
  await stop();
  assert.match(
    output.stdout,
    / pay_4\nChange 4 no longer exists: the service was restored from a backup\. Continuing after change 3\.\n +4 .* pay_4\n +5 .* pay_5\n$/,
  );
});

test('webhooks listen reports a restore, and continues after the last remaining change', async (t) => {
  const feed = await scriptedFeed(t, 6);
  const ids: unknown[] = [];
  const receiver = await serveHttp(t, (request, response) => {
    ids.push(request.headers['webhook-id']);
    response.writeHead(204).end();
  });
  const { output, lines, stop } = running(t, [
    ...['webhooks', 'listen', '--after', '3', '--forward-to', receiver, '--url', feed.url],
  ]);
  await lines(4);
  await feed.waiting();
  restore(feed);
  await lines(6);
  await stop();
  assert.deepEqual(ids, ['chg_4', 'chg_5', 'chg_6', 'other_4', 'other_5']);
  assert.match(
    output.stderr,
    /^Changes 4 to 6 no longer exist: the service was restored from a backup\. Continuing after change 3\.$/m,
  );
});
