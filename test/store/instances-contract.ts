import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INSTANCE_LIFETIME_MS } from '../../src/instances/instance.ts';
import type { Store } from '../../src/store/store.ts';
import { someInstance } from '../rig/service/instances.ts';

interface Current {
  store: Store;
  execute(sql: string): Promise<unknown>;
}

export function instancesContract(current: () => Current): void {
  const names = async () => (await current().store.listInstances()).map(({ instance }) => instance);
  const move = (milliseconds: number, name: string) =>
    current().execute(
      `UPDATE instances SET seen_at_ms = seen_at_ms + ${milliseconds}, started_at_ms = started_at_ms + ${milliseconds} WHERE instance = '${name}'`,
    );

  test('lists the instances that serve, with what each noted first', async () => {
    const { store } = current();
    assert.deepEqual(await names(), []);
    const a = someInstance('a', { STATUSES: 'failed:unpaid', CURSOR_SECRETS: ['x', 'y'] });
    await store.noteInstance(someInstance('b'));
    await store.noteInstance(a);
    await move(-5000, 'b');
    await store.noteInstance(someInstance('b'));
    assert.deepEqual(await names(), ['a', 'b']);
    const [first, second] = await store.listInstances();
    assert.deepEqual({ ...first, startedAtMs: 0, seenAtMs: 0 }, { ...a, startedAtMs: 0, seenAtMs: 0 });
    assert.ok(second !== undefined && second.seenAtMs >= second.startedAtMs + 5000);
    await store.removeInstance('b');
    assert.deepEqual(await names(), ['a']);
  });

  test('an instance whose last note is over a minute old, or in the future, is not listed, and the next note removes its row', async () => {
    const { store } = current();
    for (const [name, byMs] of [
      ['old', -INSTANCE_LIFETIME_MS - 1],
      ['ahead', 30 * 86_400_000],
    ] as const) {
      await store.noteInstance(someInstance(name));
      await move(byMs, name);
      assert.deepEqual(await names(), []);
      await store.noteInstance(someInstance('here'));
      // If the row still existed, the list would show it with the current time.
      await current().execute(
        `UPDATE instances SET seen_at_ms = (SELECT seen_at_ms FROM instances WHERE instance = 'here')`,
      );
      assert.deepEqual(await names(), ['here']);
      await store.removeInstance('here');
    }
  });
}
