import { after } from 'node:test';
import { reportRecordings } from '../../../src/ledger/record/request-recorder.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../run/give-up.ts';
import type { TestApp } from '../service/app.ts';

export async function untilWaiting(app: TestApp, callers: number): Promise<void> {
  after(() => app.announceStop());
  await until(() => app.changeWatcher.waiting === callers);
}

export function recordingBeside({ store, changeWatcher }: TestApp): Store {
  return reportRecordings(store, [changeWatcher]);
}

export async function waitFor(app: TestApp, key: string, afterSequence = 0) {
  const { waiting } = app.changeWatcher;
  const response = app.send(`/v1/changes?after=${afterSequence}&wait=30`, { key });
  await untilWaiting(app, waiting + 1);
  return { response };
}
