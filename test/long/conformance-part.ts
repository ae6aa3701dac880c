import { DEFECTS } from '../conformance/broken-servers/index.ts';
import { recordMeanwhile } from '../conformance/record-meanwhile.ts';
import { startServer } from '../conformance/right-server/server.ts';
import { failuresOf, judgeBrokenServer, OPERATOR_KEY, runKit } from '../conformance/run-kit.ts';
import { type Part, progress, write } from './part.ts';

/** Runs the whole kit on each broken server, and after each on the right one while transactions are recorded. */
export const conformancePart = (): Part => ({
  name: 'conformance',
  promise: 'The whole conformance kit finds every broken server, and passes a right one with any seed',
  share: 0.05,
  goal: DEFECTS.length,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('broken servers');
    let [servers, requests, wrong] = [0, 0, 0];
    while (servers < count && (servers === 0 || performance.now() < endsAtMs)) {
      const seed = first + servers++;
      const defect = DEFECTS[seed % DEFECTS.length] as (typeof DEFECTS)[number];
      const broken = await judgeBrokenServer(defect, { seed });
      if (!broken.results.some(({ id, outcome }) => id === defect.check && outcome === 'failed')) {
        wrong++;
        write(`${defect.name}, seed ${seed}: not found by ${defect.check}`);
      }
      const server = await startServer({ operatorKey: OPERATOR_KEY, allowsLoopback: true });
      const right = await recordMeanwhile(server, () => runKit(server, { seed }));
      await server.stop();
      const failures = failuresOf(right);
      if (failures.length > 0) wrong++;
      for (const failure of failures) write(`the right server, seed ${seed}: ${failure}`);
      requests += broken.requests + right.requests;
      onProgress(servers);
    }
    return {
      counts: { 'broken servers and as many runs on the right one': servers, requests },
      seeds: servers,
      figures: '',
      broken: String(wrong),
    };
  },
});
