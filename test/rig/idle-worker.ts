/* A worker that reports ready, and ends when it receives the stop message. */
import { reportListening } from '../../src/cli/workers.ts';

reportListening();
setInterval(() => {}, 60_000);
