import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { readConfig } from '../config/read-config.ts';
import { IN_MEMORY_URL, openStore } from '../store/open-store.ts';
import { createLogger } from './logger.ts';
import { runService } from './run-service.ts';

const answers = (url: string) => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
};

test('a failure after the listeners started stops all of them, and the background work', async () => {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const read = readConfig({ PORT: '0', OPERATOR_PORT: '0' });
  if (!('config' in read)) throw new Error(read.faults.join());
  const failure = new Error('the first line can not be printed');
  let url = '';
  const running = runService(read.config, store, createLogger('silent'), {
    onListening: (listening) => {
      url = listening.url;
      throw failure;
    },
  });
  await assert.rejects(running, failure);
  assert.equal(await answers(url), false);
  await store.close();
});
