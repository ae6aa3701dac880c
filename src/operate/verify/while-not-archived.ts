import type { Archive } from '../../ledger/archives/archive.ts';
import type { Disagreement } from '../disagreement.ts';
import type { VerifyContext } from './context.ts';

const MAX_HELD = 1000;

/** An archive or erasure during the check looks like damage, so the check is then repeated. */
export async function whileNotArchived(
  context: VerifyContext,
  account: string,
  check: (context: VerifyContext, archive: Archive | undefined) => Promise<void>,
): Promise<void> {
  const { reader, schema, verified, report } = context;
  const readArchive = async () => (schema.tables.has('archives') ? reader.readArchive(account) : undefined);
  /** Returns -1 while the account is being erased. */
  const readHead = async () => {
    const { head, closedAtSequence } = await reader.readHead(account);
    return closedAtSequence === null ? (head ?? 0) : -1;
  };
  const before = { ...verified };
  let archive = await readArchive();
  let head = await readHead();
  for (;;) {
    const held: Disagreement[] = [];
    let isHolding = true;
    const release = async () => {
      isHolding = false;
      for (const disagreement of held.splice(0)) await report(disagreement);
    };
    let [archiveNow, headNow] = [archive, head];
    const isUnchanged = async () => {
      [archiveNow, headNow] = [await readArchive(), await readHead()];
      return isSame(archive, archiveNow) && headNow >= head;
    };
    const holdOrReport = async (disagreement: Disagreement) => {
      if (!isHolding) return report(disagreement);
      held.push(disagreement);
      if (held.length <= MAX_HELD) return;
      if (await isUnchanged()) await release();
      else held.length = 0;
    };
    await check({ ...context, report: holdOrReport }, archive);
    if (!isHolding || (await isUnchanged())) return release();
    archive = archiveNow;
    head = headNow;
    Object.assign(verified, before);
  }
}

const isSame = (left: Archive | undefined, right: Archive | undefined) =>
  left?.floorSequence === right?.floorSequence && left?.removedChanges === right?.removedChanges;
