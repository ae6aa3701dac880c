/* A worker that only says that it answers, and ends when it is told to. */
import { reportListening } from '../../src/cli/workers.ts';

reportListening();
setInterval(() => {}, 60_000);
