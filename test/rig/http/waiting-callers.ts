import { after } from 'node:test';
import { reportRecordings } from '../../../src/ledger/record/request-recorder.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../run/give-up.ts';
import type { TestApp, TestResponse } from '../service/app.ts';

/**
 * Resolves when `callers` callers of an app wait for changes. The app stops when the test ends: after a
 * failure, no test clock advances, and waiting callers would keep the process alive.
 */
export async function untilWaiting(app: TestApp, callers: number): Promise<void> {
  after(() => app.announceStop());
  await until(() => app.changeWatcher.waiting === callers);
}

/**
 * A store whose recordings wake an app's waiting callers, as those of the operator's listener in the same
 * process do.
 */
export function recordingBeside({ store, changeWatcher }: TestApp): Store {
  return reportRecordings(store, [changeWatcher]);
}

/** Sends a request that waits for changes, and resolves when it waits. */
export async function waitFor(
  app: TestApp,
  key: string,
  afterSequence = 0,
): Promise<{ response: Promise<TestResponse> }> {
  const { waiting } = app.changeWatcher;
  const response = app.send(`/v1/changes?after=${afterSequence}&wait=30`, { key });
  await untilWaiting(app, waiting + 1);
  return { response };
}
