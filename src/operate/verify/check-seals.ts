import type { Archive } from '../../ledger/archives/archive.ts';
import type { Change } from '../../ledger/changes/change.ts';
import {
  BLOCK_CHANGES,
  DIGEST_CHARACTERS,
  digestOfChange,
  NO_SEAL,
  type SealBlock,
  type SealHead,
  sealAfter,
} from '../../ledger/seals/seal.ts';
import type { Disagreement, FaultAt } from '../disagreement.ts';
import { restOf, sealedTextOf } from '../row-up-to.ts';
import type { VerifyContext } from './context.ts';

const BLOCKS_PER_READ = 16;

export async function checkSeals(
  context: VerifyContext,
  account: string,
  archive: Archive | undefined,
): Promise<void> {
  const { reader, schema, verified, report } = context;
  if (!schema.tables.has('seals') || !schema.tables.has('seal_blocks')) return;
  const check = new SealCheck(context, account, archive);
  const sealed = await readSealHead(context, account);
  const { head, largest } = await reader.readHead(account);
  const headSequence = head ?? largest;
  // A damaged seal can have a number that is far too large, so the loop ends at the last change.
  const end = Math.min(sealed?.sequence ?? 0, headSequence);
  for (let after = 0; sealed !== undefined && after < end; after += BLOCKS_PER_READ * BLOCK_CHANGES) {
    const upTo = Math.min(after + BLOCKS_PER_READ * BLOCK_CHANGES, sealed.sequence);
    const blocks = await reader.readSealBlocks(account, after, upTo);
    if (upTo % BLOCK_CHANGES !== 0) blocks.push(sealed);
    const changes = await reader.readFeed(account, after, upTo);
    await check.blocks(after, upTo, blocks, changes);
    verified.sealedChanges += changes.length;
    context.onProgress();
  }
  await check.rest();
  if (sealed === undefined) return;
  await check.lastNonce(sealed);
  if (sealed.sequence > headSequence)
    await report({
      check: 'seals',
      account,
      place: 'last sealed change',
      found: String(sealed.sequence),
      expected: `at most ${headSequence}, the head sequence`,
    });
}

async function readSealHead(
  { reader, report }: VerifyContext,
  account: string,
): Promise<SealHead | undefined> {
  const head = await reader.readSealHead(account);
  if (head !== undefined) return head;
  const [block] = await reader.readSealBlocks(account, 0, BLOCKS_PER_READ * BLOCK_CHANGES);
  if (block === undefined) return undefined;
  // A service may have sealed changes after `head` was read, so the last seal is read again.
  const since = await reader.readSealHead(account);
  if (since === undefined) await report(noLastSeal(account, block));
  return since;
}

class SealCheck {
  readonly #context: VerifyContext;
  readonly #account: string;
  readonly #archive: Archive | undefined;
  readonly #floor: Pick<Archive, 'floorSequence' | 'floorSeal'>;
  #seal = NO_SEAL;
  #isRestNamed = false;

  constructor(context: VerifyContext, account: string, archive: Archive | undefined) {
    this.#context = context;
    this.#account = account;
    this.#archive = archive;
    this.#floor = archive ?? { floorSequence: 0, floorSeal: NO_SEAL };
  }

  #report(fault: FaultAt): Promise<void> {
    return this.#context.report({ check: 'seals', account: this.#account, ...fault });
  }

  async rest(): Promise<void> {
    if (this.#archive === undefined || this.#isRestNamed) return;
    const rest = await restOf(this.#context.reader, this.#account, this.#archive);
    if (rest === this.#archive.rest) return;
    await this.#report({
      place: `changes that are left below ${this.#archive.floorSequence}, the floor`,
      found: 'other ones than the archive left',
      expected: `those with the digest ${this.#archive.rest}`,
    });
  }

  async lastNonce({ sequence, nonce }: SealHead): Promise<void> {
    const [last] = await this.#context.reader.readFeed(this.#account, sequence - 1, sequence);
    const { floorSequence, floorNonce } = this.#archive ?? { floorSequence: 0, floorNonce: null };
    const actual = last?.nonce ?? (sequence === floorSequence ? floorNonce : undefined);
    if (actual === undefined || actual === nonce) return;
    await this.#report({
      place: 'last sealed change',
      found: `the change ${sequence} with another id`,
      expected: 'the id that the change has',
    });
  }

  async blocks(
    after: number,
    upTo: number,
    blocks: readonly SealBlock[],
    changes: readonly Change[],
  ): Promise<void> {
    const stored = new Map(blocks.map((block) => [block.sequence, block]));
    const found = new Map(changes.map((change) => [change.sequence, change]));
    for (let before = after; before < upTo; before += BLOCK_CHANGES) {
      const last = Math.min(before + BLOCK_CHANGES, upTo);
      await this.#block(before, last, stored.get(last), found);
    }
  }

  async #block(
    before: number,
    last: number,
    block: SealBlock | undefined,
    found: ReadonlyMap<number, Change>,
  ): Promise<void> {
    const { floorSequence, floorSeal } = this.#floor;
    let seal = before < floorSequence ? floorSeal : this.#seal;
    let isAsSealed = true;
    for (let sequence = before + 1; sequence <= last; sequence++) {
      const change = found.get(sequence);
      // check-numbers.ts reports a missing change that is not archived.
      if (change === undefined) {
        isAsSealed &&= sequence <= floorSequence;
        continue;
      }
      const text = sealedTextOf(this.#account, change);
      if (sequence > floorSequence) seal = sealAfter(seal, text);
      if (block === undefined || isSealed(block, sequence - before - 1, text)) continue;
      isAsSealed = false;
      this.#isRestNamed ||= sequence <= floorSequence;
      await this.#report({
        place: `sequence number ${sequence}, transaction ${change.transaction.reference}`,
        found: 'other values than those that were sealed',
        expected: 'the values with which the change was recorded',
      });
    }
    this.#seal = block?.seal ?? seal;
    if (last < floorSequence) return;
    if (isAsSealed && seal === block?.seal) return;
    if (block === undefined || isAsSealed)
      await this.#report({
        place: `seal at the sequence number ${last}`,
        found: block?.seal ?? 'none',
        expected: `${seal}, by the changes up to it`,
      });
  }
}

const isSealed = ({ digests }: SealBlock, place: number, text: string): boolean =>
  digests.slice(place * DIGEST_CHARACTERS, (place + 1) * DIGEST_CHARACTERS) === digestOfChange(text);

const noLastSeal = (account: string, { sequence }: SealBlock): Disagreement => ({
  check: 'seals',
  account,
  place: 'last sealed change',
  found: 'none',
  expected: `the seal of the account: the change ${sequence} was sealed`,
});
