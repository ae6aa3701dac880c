import { ArgumentError } from './errors.ts';

export type Take = <Taken>(take: () => Taken) => Promise<Taken>;

/** Only one reader at a time calls `fill` and `take`, so that readers do not take each other's items. */
export function singleReader(signal: AbortSignal | undefined, fill: () => Promise<void>): Take {
  let isReading = false;
  return async (take) => {
    signal?.throwIfAborted();
    if (isReading) throw new ArgumentError('This is already being read. Wait for the other call to finish.');
    isReading = true;
    try {
      await fill();
      return take();
    } finally {
      isReading = false;
    }
  };
}

export async function* takeEach<Item>(
  take: Take,
  next: () => Item | undefined,
): AsyncGenerator<Item, void, undefined> {
  for (;;) {
    const item = await take(next);
    if (item === undefined) return;
    yield item;
  }
}
