import { type ReadStatement, readStatement } from './driver/index.ts';

/** `from` is the lowest hash that belongs to the shard. The shard ends before the next shard's `from`. */
export interface Shard {
  from: number;
  worker: string;
}

export type ShardRow = [from: number, worker: string, probeHash: number];

const PROBE = 'probe';

const READ = readStatement(
  `SELECT shardminvalue::bigint AS "from", min(nodename || ':' || nodeport) AS worker, worker_hash('${PROBE}'::text)::bigint AS probe_hash
FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
WHERE logicalrelid = 'transactions'::regclass AND noderole = 'primary'
GROUP BY shardminvalue ORDER BY shardminvalue::bigint`,
  (row): ShardRow => [row.integer(), row.text(), row.integer()],
);

/** In the order of hashes. Empty if Citus assigns accounts in an unknown way. */
export async function readShards(
  query: (read: ReadStatement<ShardRow>) => Promise<ShardRow[]>,
): Promise<Shard[]> {
  const rows = await query(READ);
  if (rows.some(([, , probeHash]) => probeHash !== hashText(PROBE))) return [];
  return rows.map(([from, worker]) => ({ from, worker }));
}

export function workerOf(shards: readonly Shard[], account: string): string {
  const hash = hashText(account);
  let low = 0;
  let high = shards.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((shards[middle] as Shard).from <= hash) low = middle;
    else high = middle;
  }
  return (shards[low] as Shard).worker;
}

const GOLDEN = 0x9e3779b9;
const BLOCK = 12;

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));

/** Returns a signed 32-bit integer. Source: hash_bytes in src/common/hashfn.c of PostgreSQL (lookup3). */
export function hashText(text: string): number {
  const bytes = Buffer.from(text);
  const blocks = Math.floor(bytes.length / BLOCK);
  const rest = Buffer.alloc(BLOCK);
  bytes.copy(rest, 0, blocks * BLOCK);
  let a = (GOLDEN + bytes.length + 3_923_095) | 0;
  let b = a;
  let c = a;
  for (let at = 0; at < blocks * BLOCK; at += BLOCK) {
    a = (a + bytes.readInt32LE(at)) | 0;
    b = (b + bytes.readInt32LE(at + 4)) | 0;
    c = (c + bytes.readInt32LE(at + 8)) | 0;
    a = ((a - c) ^ rotate(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ rotate(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 4)) | 0;
    b = (b + a) | 0;
  }
  a = (a + rest.readInt32LE(0)) | 0;
  b = (b + rest.readInt32LE(4)) | 0;
  // The lowest byte of the last word stays zero, because the hash reserves it for the length.
  c = (c + (rest.readInt32LE(8) << 8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}
