import { copyFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { makeHealthy } from './healthy-database.ts';

/** Makes a healthy SQLite database before the tests of a suite. Returns a function that copies it and returns the path. */
export function healthyFile(): () => string {
  const folder = temporaryFolder();
  const healthy = `${folder.path}/healthy.db`;
  let copies = 0;
  before(() => makeHealthy(`sqlite:${healthy}`));
  after(folder.remove);
  return () => {
    const path = `${folder.path}/${++copies}.db`;
    copyFileSync(healthy, path);
    return path;
  };
}
