import { runConformance } from '../../conformance/index.js';
import { createFilled, failuresOf, startFilled } from '../conformance/filled-service.ts';
import { recordMeanwhile } from '../conformance/record-meanwhile.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { type Part, progress, write } from './part.ts';

/** Runs the whole kit on the service with one seed after the other, while transactions are recorded. */
export const conformancePart = (): Part => ({
  name: 'conformance',
  promise: 'The service passes the whole conformance kit with any seed, while transactions are recorded',
  share: 0.05,
  goal: 50,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('runs of the kit');
    let [runs, requests, wrong] = [0, 0, 0];
    while (runs < count && (runs === 0 || performance.now() < endsAtMs)) {
      const seed = first + runs++;
      const { path: cwd, remove } = temporaryFolder();
      const options = { cwd, env: { DATABASE_URL: 'sqlite:conformance.db' } };
      const keys = await createFilled(options);
      const served = await startFilled(options);
      const { url, operatorUrl } = served;
      const report = await recordMeanwhile(served, keys.operatorKey, () =>
        runConformance({ url, operatorUrl, ...keys, seed }),
      );
      await served.stop();
      remove();
      const failures = failuresOf(report);
      if (failures.length > 0) wrong++;
      for (const failure of failures) write(`seed ${seed}: ${failure}`);
      requests += report.requests;
      onProgress(runs);
    }
    return {
      counts: { 'runs of the kit': runs, requests },
      seeds: runs,
      figures: '',
      broken: String(wrong),
    };
  },
});
