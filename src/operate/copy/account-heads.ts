import { pagesOf } from '../../../values/pages.ts';
import { show } from '../disagreement.ts';
import { type CopyContext, CopyFailed } from './copy-context.ts';
import { type AccountHead, LAST_ACCOUNT } from './copy-reader.ts';

const HEADS_PER_READ = 1000;

export type HeadPair = {
  account: string;
  source?: AccountHead | undefined;
  target?: AccountHead | undefined;
};

export async function* headPairs({
  source,
  targetReader,
}: Pick<CopyContext, 'source' | 'targetReader'>): AsyncGenerator<HeadPair> {
  for (let after = ''; after !== LAST_ACCOUNT; ) {
    const ours = await source.listHeads(after, LAST_ACCOUNT, HEADS_PER_READ);
    const upTo = (ours.length === HEADS_PER_READ && ours.at(-1)?.account) || LAST_ACCOUNT;
    const theirs = new Map<string, AccountHead>();
    const pages = pagesOf<AccountHead>((last, count) =>
      targetReader.listHeads(last?.account ?? after, upTo, count),
    );
    for await (const heads of pages) for (const head of heads) theirs.set(head.account, head);
    for (const head of theirs.values()) if (head.isClosed) throw closedInCopyError('target', head.account);
    for (const head of ours) {
      yield { account: head.account, source: head, target: theirs.get(head.account) };
      theirs.delete(head.account);
    }
    for (const head of theirs.values()) yield { account: head.account, target: head };
    after = upTo;
  }
}

export const closedInCopyError = (side: 'source' | 'target', account: string): CopyFailed =>
  new CopyFailed(
    `The account ${show(account)} of the ${side} is being erased. Complete that with "transactions erase" there, and run the command again.`,
  );

export const isSameLife = (one: AccountHead | undefined, other: AccountHead | undefined): boolean =>
  (one?.erasedAtMs ?? null) === (other?.erasedAtMs ?? null) &&
  (one?.archivedBeforeMs ?? 0) === (other?.archivedBeforeMs ?? 0) &&
  (one?.floorSequence ?? 0) === (other?.floorSequence ?? 0) &&
  (one?.removedChanges ?? 0) === (other?.removedChanges ?? 0);
