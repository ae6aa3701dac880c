import { reportListening } from '../../../src/service/workers.ts';

reportListening();
setInterval(() => {}, 60_000);
