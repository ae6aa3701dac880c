import { InProcess } from '../differential/in-process.ts';
import { Processes } from '../differential/processes.ts';
import { runHistories } from '../differential/run.ts';
import { postgresDatabase, sqliteDatabase } from '../restores/restorable-database.ts';
import { globalSetup, globalTeardown, SERVER_VARIABLE } from '../rig/run/global-setup.ts';
import { type Part, progress, trialsFor } from './part.ts';
import type { StoreName } from './with-database.ts';

/** Of so many histories, one is of processes: it takes as long as the others together. */
const PROCESSES_EVERY = 10;

const DATABASES = { SQLite: async () => sqliteDatabase(), PostgreSQL: postgresDatabase };

const differentialPart = (store: StoreName): Part => ({
  name: store === 'SQLite' ? 'differential' : 'differential-postgres',
  promise: `Random histories on ${store} of recordings, readings, keys, archives, erasures, copies, restores, kills and clocks do what a model does that was written from the specification`,
  share: 0.15,
  // A history has 60 steps, each of which is compared: of those, one in 20,000 is excluded.
  goal: trialsFor(300),
  async run({ first, count, endsAtMs }) {
    const isAlone = store === 'PostgreSQL' && process.env[SERVER_VARIABLE] === undefined;
    if (isAlone) await globalSetup();
    try {
      const { onProgress, perSecond } = progress(`histories on ${store}`);
      const isOfProcesses = (seed: number) => seed % PROCESSES_EVERY === 0;
      const make = (seed: number) =>
        isOfProcesses(seed)
          ? new Processes(DATABASES[store]).start()
          : new InProcess(DATABASES[store]).start();
      const { histories, steps } = await runHistories({
        make,
        first,
        count,
        atOnce: 6,
        endsAtMs,
        onProgress,
      });
      return {
        counts: { histories, 'steps of them': steps },
        seeds: histories,
        figures: `${perSecond()} histories/s`,
        broken: '0',
      };
    } finally {
      if (isAlone) await globalTeardown();
    }
  },
});

export const differentialParts: readonly Part[] = [
  differentialPart('SQLite'),
  differentialPart('PostgreSQL'),
];
