import { openStore } from '../../../src/store/open-store.ts';
import { startFaultProxy } from '../http/fault-proxy.ts';
import { CITUS_WORKERS, makeCitusDatabase } from './citus.ts';
import { queryPostgres } from './postgres.ts';

const MANY = 200;

export async function makeFaultyCluster() {
  const [host, port] = (CITUS_WORKERS[0] as string).split(':');
  const proxy = await startFaultProxy(Number(port), host);
  const workers = [`127.0.0.1:${proxy.port}`, ...CITUS_WORKERS.slice(1)];
  const url = await makeCitusDatabase(workers);
  await (await openStore(url, Date.now)).store.close();
  const placed = await queryPostgres(
    url,
    `SELECT account, nodeport FROM unnest($1::text[]) AS account
     JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('transactions', account)
     JOIN pg_dist_node USING (groupid)`,
    [Array.from({ length: MANY }, (_, nth) => `acct-${nth}`)],
  );
  const accountsOf = (isBehind: boolean) =>
    placed
      .filter((row) => (row['nodeport'] === proxy.port) === isBehind)
      .map((row) => String(row['account']));
  return {
    url,
    proxy,
    behind: accountsOf(true),
    beside: accountsOf(false),
    close: async () => {
      proxy.setFault({});
      await proxy.close();
    },
  };
}
