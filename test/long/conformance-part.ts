import { DEFECTS } from '../conformance/broken-servers/index.ts';
import { recordMeanwhile } from '../conformance/record-meanwhile.ts';
import { startServer } from '../conformance/right-server/server.ts';
import { failuresOf, judgeBrokenServer, OPERATOR_KEY, runKit } from '../conformance/run-kit.ts';
import { number, type Part, progress, write } from './part.ts';

/** Runs the whole kit on each broken server, and after each on the right one while transactions are recorded. */
export function conformancePart(first: number, count: number): Part {
  return {
    name: 'conformance',
    promise: 'The whole conformance kit finds every broken server, and passes a right one with any seed',
    share: 0.05,
    async run({ endsAtMs = Number.POSITIVE_INFINITY }) {
      const { onProgress } = progress('broken servers');
      let [servers, requests, wrong] = [0, 0, 0];
      for (const defect of DEFECTS.slice(0, count)) {
        if (performance.now() > endsAtMs) break;
        const seed = first + servers++;
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
        howMuch: `${number(servers)} broken servers and as many runs on the right one, ${number(requests)} requests`,
        broken: String(wrong),
      };
    },
  };
}
