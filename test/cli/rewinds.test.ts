import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { ReadChanges, type Rewind, rewindText } from '../../src/cli/account/rewinds.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { type ScriptedFeed, scriptedChange, scriptedFeed } from '../rig/data/scripted-feed.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run, startRunning } from '../rig/service/process.ts';

const env = { TRANSACTIONS_API_KEY: 'tk_live_0000000000000000000000000000002C8GjS' };
const folder = temporaryFolder();
after(folder.remove);

/** A command that runs until it gets a signal. */
function running(t: TestContext, args: readonly string[]) {
  const started = startRunning(t, args, { cwd: folder.path, env });
  const stop = async () => {
    started.child.kill('SIGTERM');
    assert.deepEqual(await started.exited, [0, null], started.output.stderr);
  };
  return { ...started, stop };
}

/** The service loses the changes after 3, and records two others. */
function restore(feed: ScriptedFeed): void {
  const other = (sequence: number) => ({ ...scriptedChange(sequence), id: `other_${sequence}` });
  feed.changes = [...feed.changes.slice(0, 3), other(4)];
  feed.record();
  feed.changes[4] = other(5);
}

describe('changes --follow after a restore', () => {
  for (const [from, position] of [
    [0, []],
    [3, ['--after', '3', '--after-id', 'chg_3']],
  ] as const) {
    test(`--json prints the rewind as an object that is no change, and continues; after ${from}`, async (t) => {
      const feed = await scriptedFeed(t, 6);
      const before = feed.changes.slice(from);
      const args = ['changes', '--follow', '--json', '--url', feed.url, ...position];
      const { output, lines, stop } = running(t, args);
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

  test('a table has a sentence between the lines', async (t) => {
    const feed = await scriptedFeed(t, 4);
    const { output, lines, stop } = running(t, ['changes', '--follow', '--after', '2', '--url', feed.url]);
    await feed.waiting();
    restore(feed);
    await lines(6);
    await stop();
    assert.match(
      output.stdout,
      / pay_4\nChange 4 no longer exists: the service was restored from a backup\. Continuing after change 3\.\n +4 .* pay_4\n +5 .* pay_5\n$/,
    );
  });

  test('a change before all whose ids are known ends the command', async (t) => {
    const feed = await scriptedFeed(t, 6);
    const { lines, exited, output } = running(t, [
      'changes',
      '--follow',
      '--json',
      '--after',
      '4',
      '--url',
      feed.url,
    ]);
    await lines(2);
    await feed.waiting();
    restore(feed);
    assert.deepEqual(await exited, [1, null]);
    assert.match(output.stderr, /\(history_changed, /);
    assert.equal(jsonLines(output.stdout).length, 2);
  });
});

test('changes --after-id refuses a position of another history', async (t) => {
  const feed = await scriptedFeed(t, 6);
  const changes = (id: string, ...more: string[]) =>
    run(['changes', '--json', ...more, '--after', '5', '--after-id', id, '--url', feed.url], {
      cwd: folder.path,
      env,
    });
  const same = await changes('chg_5');
  assert.deepEqual([same.status, jsonLines(same.stdout)], [0, feed.changes.slice(5)]);
  for (const more of [[], ['--follow']]) {
    const other = await changes('chg_other', ...more);
    assert.deepEqual([other.status, other.stdout], [1, '']);
    assert.match(other.stderr, /Change 5 has another id\./);
  }
});

test('webhooks listen reports a restore, and continues after the last change that is left', async (t) => {
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

test('webhooks listen ends if the change after which it began is lost', async (t) => {
  const feed = await scriptedFeed(t, 4);
  const receiver = await serveHttp(t, (_, response) => response.writeHead(204).end());
  const { output, exited } = running(t, ['webhooks', 'listen', '--forward-to', receiver, '--url', feed.url]);
  await feed.waiting();
  restore(feed);
  assert.deepEqual(await exited, [1, null]);
  assert.match(output.stderr, /^The service at .*: Change 4 has another id\. \(history_changed, /m);
});

test('the ids of the newest changes are kept, and those that are lost are forgotten', async () => {
  const rewinds: Rewind[] = [];
  const read = new ReadChanges({ after: 2, afterId: 'chg_2' }, (rewind) => void rewinds.push(rewind), 3);
  read.add(scriptedChange(3), scriptedChange(4));
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((at) => read.idAt(at)),
    [null, 'chg_2', 'chg_3', 'chg_4', null],
  );
  read.add(scriptedChange(5));
  assert.deepEqual(
    [2, 3, 5].map((at) => read.idAt(at)),
    [null, 'chg_3', 'chg_5'],
  );
  await read.rewindTo(3);
  await read.rewindTo(0);
  assert.deepEqual(
    [3, 4, 5].map((at) => read.idAt(at)),
    [null, null, null],
  );
  assert.deepEqual(rewinds, [
    { from: 5, lastSequence: 3, lastId: 'chg_3' },
    { from: 3, lastSequence: 0, lastId: null },
  ]);
  assert.deepEqual(rewinds.map(rewindText), [
    'Changes 4 to 5 no longer exist: the service was restored from a backup. Continuing after change 3.',
    'Changes 1 to 3 no longer exist: the service was restored from a backup. Continuing after change 0.',
  ]);
});
