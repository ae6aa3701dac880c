/* A worker that reports that it listens, and does nothing until a signal ends it. */
import { reportListening } from '../../../src/service/workers.ts';

reportListening();
setInterval(() => {}, 60_000);
