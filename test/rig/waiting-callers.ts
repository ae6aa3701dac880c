import { setTimeout as delay } from 'node:timers/promises';
import { reportRecordings } from '../../src/core/changes/report-recordings.ts';
import type { Store } from '../../src/core/store.ts';
import type { TestApp, TestResponse } from './app.ts';

/** Resolves when so many callers of an app wait for changes. */
export async function untilWaiting({ changeWatcher }: TestApp, callers: number): Promise<void> {
  while (changeWatcher.waiting !== callers) await delay(1);
}

/** A store whose recordings wake the waiting callers of an app, as those of the operator's listener in the same process. */
export function recordingBeside({ store, changeWatcher }: TestApp): Store {
  return reportRecordings(store, (account) => changeWatcher.noteRecorded(account));
}

/** Sends a request that waits for changes, and resolves when it waits. */
export async function waitFor(
  app: TestApp,
  key: string,
  after = 0,
): Promise<{ response: Promise<TestResponse> }> {
  const { waiting } = app.changeWatcher;
  const response = app.send(`/v1/changes?after=${after}&wait=30`, { key });
  await untilWaiting(app, waiting + 1);
  return { response };
}
