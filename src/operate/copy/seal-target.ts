import { inGroups } from '../../../values/in-groups.ts';
import { sentence } from '../../../values/sentence.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { sealUpTo } from '../../ledger/seals/seals.ts';
import { show } from '../disagreement.ts';
import { type CopyContext, CopyFailed } from './copy-context.ts';

const ACCOUNTS_PER_READ = 500;
const ACCOUNTS_AT_ONCE = 8;

export async function sealTarget(context: CopyContext): Promise<void> {
  const { targetStore, isStopped, monotonicMs } = context;
  const options = { isStopped, monotonicMs, pause: async () => {} };
  for (let last: string | null = ''; last !== null && !isStopped(); ) {
    const page = await targetStore.listUnsealed(last, ACCOUNTS_PER_READ);
    await inGroups(page.accounts, ACCOUNTS_AT_ONCE, async ({ account }) => {
      await sealUpTo(targetStore, account, {}, options).catch((error: Error) => {
        if (error instanceof StoreUnavailable) throw error;
        throw new CopyFailed(
          `The account ${show(account)} of the target can't be sealed: ${sentence(error.message)} If "transactions verify" finds that in the source, correct it there. Then copy into an empty database.`,
        );
      });
      context.onProgress();
    });
    last = page.last;
  }
}
