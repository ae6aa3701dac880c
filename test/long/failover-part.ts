import { type Replication, runFailovers } from '../crash/run-failovers.ts';
import { type Part, progress } from './part.ts';

const failovers = (name: string, replication: Replication, promise: string): Part => ({
  name,
  promise,
  share: 0.03,
  goal: 50,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('failovers');
    const result = await runFailovers({ replication, first, count, endsAtMs, onProgress });
    const { acknowledged, lost } = result;
    return {
      counts: {
        'kills of a primary with two standbys': result.failovers,
        acknowledged,
        'lost, and named in the log': lost,
      },
      seeds: result.failovers,
      figures: '',
      broken: '0',
    };
  },
});

export const failoverParts: readonly Part[] = [
  failovers(
    'failover',
    'asynchronous',
    'After a failover with asynchronous replication, the log names each acknowledged recording that is lost, once, and no other',
  ),
  failovers(
    'failover-synchronous',
    'synchronous',
    'After a failover in which commits waited for a standby, no acknowledged recording is lost, and the log names none',
  ),
];
