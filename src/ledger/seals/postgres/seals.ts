import pg from 'pg';
import {
  arrayText,
  type BackgroundConnections,
  type Connections,
  readStatement,
} from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { selectOfAccount } from '../../../db/postgres/topology.ts';
import { changePages, nonceSql } from '../../changes/postgres/list-changes.ts';
import { NO_SEAL, UNSEALED as NOTHING_SEALED, type SealBlock, type SealHead, sealChanges } from '../seal.ts';
import { sealHeadOf } from '../seal-rows.ts';
import { type Sealer, type UnsealedLister, type UnsealedRow, unsealedOf } from '../seals.ts';

interface SealerOptions {
  primary: Connections;
  background: BackgroundConnections;
  topology: Topology;
}

/**
 * Recordings would wait for the disk behind each. After a crash, all of it is there or none, and it is sealed again. The statements have no
 * BEGIN, without which SET LOCAL leaves a warning in the log of the server.
 */
const COMMIT_LATER = readStatement("SELECT set_config('synchronous_commit', 'off', true)", (row) =>
  row.text(),
);

/** Accounts after one with how many of their changes are not sealed, in the order of accounts. Both tables are read from there: the workers of Citus can merge them. */
const unsealedSql = (after: string, limit: string) =>
  `SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > ${after}
WHERE accounts.account > ${after} ORDER BY accounts.account LIMIT ${limit}`;

const UNSEALED = readStatement(unsealedSql('$1', '$2'), (row): UnsealedRow => [row.text(), row.integer()]);

/** Whether the history still has the last change of a step: an account that was erased meanwhile has it no longer. */
const isOfHistory = (account: string, sequence: string, nonce: string) =>
  `${nonceSql(account, sequence)} = ${nonce}`;

/** The row that STORE moves, before the first change. */
const beginSql = (account: string, isStill: string) =>
  `INSERT INTO seals (account, sequence, seal, digests)
SELECT account, 0, '${NO_SEAL}', '' FROM accounts WHERE account = ${account} AND ${isStill}
ON CONFLICT (account) DO NOTHING`;

const BEGIN = readStatement(beginSql('$1', isOfHistory('$1', '$2', '$3')), () => undefined);
/**
 * Moves the seal of the account $1 from $2 to $3, whose change has the nonce $4, and adds the blocks if it did. Of two statements at once, the
 * second waits for the row of the first, and finds another number in it. No recording locks a row of these tables.
 */
const STORE = readStatement(
  `WITH moved AS (
  UPDATE seals SET sequence = $3, nonce = $4, seal = $5, digests = $6
  WHERE account = $1 AND sequence = $2 AND ${isOfHistory('$1', '$3', '$4')} RETURNING account
), added AS (
  INSERT INTO seal_blocks (account, sequence, seal, digests)
  SELECT moved.account, blocks.* FROM moved CROSS JOIN unnest($7::bigint[], $8::text[], $9::text[]) AS blocks
)
SELECT count(*) FROM moved`,
  (row) => row.integer(),
);

const arraysOf = (blocks: readonly SealBlock[]): string[] =>
  [
    blocks.map(({ sequence }) => sequence),
    blocks.map(({ seal }) => seal),
    blocks.map(({ digests }) => digests),
  ].map(arrayText);

const storeOnPostgres =
  (background: BackgroundConnections): Sealer['storeSeals'] =>
  async (account, from, { head, blocks }) => {
    const { sequence, nonce, seal, digests } = head;
    const results = await background.transact(account, [
      { statement: COMMIT_LATER, values: [] },
      ...(from.sequence === 0 ? [{ statement: BEGIN, values: [account, sequence, nonce] }] : []),
      {
        statement: STORE,
        values: [account, from.sequence, sequence, nonce, seal, digests, ...arraysOf(blocks)],
      },
    ]);
    return results.at(-1)?.[0] === 1;
  };

/** The script on Citus, where each statement names the account as a value: the blocks are added after the seal was moved, while its row is locked. */
const storeOnCitus =
  (background: BackgroundConnections): Sealer['storeSeals'] =>
  async (account, from, { head, blocks }) => {
    const name = pg.escapeLiteral(account);
    const { sequence, nonce, seal, digests } = head;
    const [sequences, seals, digestsOfBlocks] = arraysOf(blocks).map(pg.escapeLiteral);
    const isStill = isOfHistory(name, String(sequence), String(nonce));
    const begin = from.sequence === 0 ? `${beginSql(name, isStill)};` : '';
    const results = await background.script(
      account,
      `${begin}
SELECT sequence FROM seals WHERE account = ${name} FOR NO KEY UPDATE;
INSERT INTO seal_blocks (account, sequence, seal, digests)
SELECT seals.account, blocks.* FROM seals CROSS JOIN unnest(${sequences}::bigint[], ${seals}::text[], ${digestsOfBlocks}::text[]) AS blocks
WHERE seals.account = ${name} AND seals.sequence = ${from.sequence} AND ${isStill};
UPDATE seals SET sequence = ${sequence}, nonce = ${nonce}, seal = '${seal}', digests = '${digests}'
WHERE seals.account = ${name} AND seals.sequence = ${from.sequence} AND ${isStill} RETURNING sequence`,
    );
    return results.at(-1)?.length === 1;
  };

export function sealer({ primary, background, topology }: SealerOptions): Sealer & UnsealedLister {
  const read = readStatement(
    selectOfAccount(
      topology,
      'sequence, nonce, seal, digests',
      (account) => `SELECT sequence, nonce, seal, digests FROM seals WHERE seals.account = ${account}`,
    ),
    (row) => sealHeadOf([row.integer(), row.integerOrNull(), row.text(), row.text()]),
  );
  const listChanges = changePages(topology);
  const listAccounts = async (after: string, limit: number): Promise<UnsealedRow[]> => {
    if (topology === 'one server') return background.read(UNSEALED, [after, limit]);
    // Citus has no plan with parameters of a statement that reads every shard.
    const [rows] = await background.script(after, unsealedSql(pg.escapeLiteral(after), String(limit)));
    return rows as UnsealedRow[];
  };
  return {
    listUnsealed: async (after, limit) => unsealedOf(await listAccounts(after, limit)),
    readSeal: async (account): Promise<SealHead> =>
      (await primary.read(read, [account]))[0] ?? NOTHING_SEALED,
    sealChanges: async (account, from, limit) =>
      sealChanges(account, from, await listChanges(background, { account, after: from.sequence, limit })),
    storeSeals: (topology === 'one server' ? storeOnPostgres : storeOnCitus)(background),
  };
}
