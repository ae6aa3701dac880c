import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '../../../src/service/logger.ts';
import { buffersInUse } from '../run/heap.ts';

const LINES_PER_TURN = 100;

const logger = createLogger('info');
process.once('message', async (lines: number) => {
  const before = await buffersInUse();
  for (let line = 1; line <= lines; line++) {
    logger.info({ line }, 'a line of the log as it is written for each request');
    if (line % LINES_PER_TURN === 0) await nextTurn();
  }
  process.send?.((await buffersInUse()) - before, () => process.disconnect());
});
