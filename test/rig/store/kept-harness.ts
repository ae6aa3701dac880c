import type { Store } from '../../../src/store/store.ts';
import { atEnd } from '../run/at-end.ts';
import { altersSchema, type EmptiedHarness, type StoreHarness } from './store-harness.ts';

interface KeptHarness {
  harness: EmptiedHarness;
  stores: Store[];
}

export function keptHarnesses(make: () => Promise<EmptiedHarness>): () => Promise<StoreHarness> {
  const spare: KeptHarness[] = [];
  atEnd(async () => {
    for (const { harness } of spare.splice(0)) await harness.dispose();
  });
  return async () => {
    const kept = spare.pop() ?? { harness: await make(), stores: [] };
    return harnessOn(kept, () => spare.push(kept));
  };
}

function harnessOn({ harness, stores }: KeptHarness, keep: () => void): StoreHarness {
  const lent: Store[] = [];
  let isSpoilt = false;
  return {
    ...harness,
    open: async () => {
      const store = stores.pop() ?? (await harness.open());
      lent.push(store);
      const close = async () => {
        lent.splice(lent.indexOf(store), 1);
        await store.close();
      };
      return { ...store, close };
    },
    execute: (sql) => {
      isSpoilt ||= altersSchema(sql);
      return harness.execute(sql);
    },
    ruin: () => {
      isSpoilt = true;
      return harness.ruin();
    },
    dispose: async () => {
      // A PostgreSQL store writes each status once. After `empty`, a kept store would not write it again.
      if (isSpoilt || (await lent[0]?.listRecordedStatuses())?.length !== 0) return harness.dispose();
      await harness.empty();
      stores.push(...lent.splice(0).reverse());
      keep();
    },
  };
}
