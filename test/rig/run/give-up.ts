import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

export const GIVE_UP_MS = 600_000;

export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (const giveUpAtMs = performance.now() + GIVE_UP_MS; !(await condition()); await delay(10))
    assert.ok(performance.now() < giveUpAtMs, 'the condition did not become true');
}
