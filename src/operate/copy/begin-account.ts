import { ARCHIVE_COLUMNS, archiveValues } from '../../ledger/archives/archive.ts';
import { BLOCK_CHANGES, DIGEST_CHARACTERS } from '../../ledger/seals/seal.ts';
import { show } from '../disagreement.ts';
import { isSameLife } from './account-heads.ts';
import { type CopyContext, CopyFailed } from './copy-context.ts';
import type { AccountHead, CopyReader } from './copy-reader.ts';
import type { CopyStatement } from './copy-target.ts';

const CHANGES_PER_REMOVAL = 10_000;
const BLOCKS_PER_STATEMENT = 1000;

const EMPTIED_TABLES = ['transactions', 'daily_totals', 'seal_blocks', 'seals', 'archives'] as const;

const parametersOf = (count: number) => Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');

const insert = (table: string, columns: string, values: CopyStatement['values']): CopyStatement => ({
  text: `INSERT INTO ${table} (${columns}) VALUES (${parametersOf(values.length)})`,
  values,
});

/**
 * Empties the account in the target, so that it is copied from its beginning. Archived changes can't be
 * copied, so their seals are copied here. Returns false and changes nothing if the source has erased or
 * archived the account since `sourceHead` was read.
 */
export async function beginAccount(
  { source, target, compareAgainAfter }: CopyContext,
  sourceHead: AccountHead,
  targetHead: AccountHead | undefined,
): Promise<boolean> {
  const { account, floorSequence } = sourceHead;
  const begin = floorSequence === 0 ? [] : await sealedUpToFloor(source, account, floorSequence);
  const now = await source.findHead(account);
  if (now?.isClosed !== false || !isSameLife(now, sourceHead)) return false;
  for (let after = 0; after < (targetHead?.head ?? 0); after += CHANGES_PER_REMOVAL)
    await target.run(
      ['pending_sequence', 'final_sequence'].map((sequence) => ({
        text: `DELETE FROM transactions WHERE account = $1 AND ${sequence} > $2 AND ${sequence} <= $3`,
        values: [account, after, after + CHANGES_PER_REMOVAL],
      })),
    );
  // Only this last step writes what `isSameLife` compares. After an interruption, the next run starts over.
  await target.run([
    ...EMPTIED_TABLES.map((table) => ({
      text: `DELETE FROM ${table} WHERE account = $1`,
      values: [account],
    })),
    {
      text: `INSERT INTO accounts (account, head_sequence, erased_at_ms) VALUES ($1, 0, $2)
ON CONFLICT (account) DO UPDATE SET head_sequence = 0, erased_at_ms = EXCLUDED.erased_at_ms`,
      values: [account, sourceHead.erasedAtMs],
    },
    ...begin,
  ]);
  compareAgainAfter?.set(account, 0);
  return true;
}

async function sealedUpToFloor(reader: CopyReader, account: string, floor: number): Promise<CopyStatement[]> {
  const archive = await reader.readArchive(account);
  if (archive?.floorSequence !== floor) return [];
  const digests = await digestsBefore(reader, account, floor);
  const statements = [
    insert('archives', `account, ${ARCHIVE_COLUMNS}`, [account, ...archiveValues(archive)]),
    insert('seals', 'account, sequence, nonce, seal, digests', [
      ...[account, floor, archive.floorNonce, archive.floorSeal],
      digests,
    ]),
  ];
  const step = BLOCKS_PER_STATEMENT * BLOCK_CHANGES;
  for (let after = 0; after < floor; after += step)
    for (const block of await reader.readSealBlocks(account, after, Math.min(floor, after + step)))
      statements.push(
        insert('seal_blocks', 'account, sequence, seal, digests', [
          ...[account, block.sequence, block.seal],
          block.digests,
        ]),
      );
  return statements;
}

async function digestsBefore(reader: CopyReader, account: string, floor: number): Promise<string> {
  const characters = (floor % BLOCK_CHANGES) * DIGEST_CHARACTERS;
  const blockEnd = floor - (floor % BLOCK_CHANGES) + BLOCK_CHANGES;
  // `seals` has the digests of a block until the block is complete. From then on, `seal_blocks` has them.
  // `seals` is read first. In the other order, a block that is completed between the reads would be missed.
  const head = await reader.readSealHead(account);
  const last =
    head !== undefined && head.sequence < blockEnd
      ? head
      : (await reader.readSealBlocks(account, blockEnd - 1, blockEnd))[0];
  const digests = last?.digests.slice(0, characters);
  if (digests?.length === characters) return digests;
  throw new CopyFailed(
    `The account ${show(account)} of the source has no seals up to its archive. Run "transactions verify" on the source.`,
  );
}
