import { StoreUnavailable } from '../../../values/store-errors.ts';

export async function whenAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
}
