import type { Store } from '../../../src/store/store.ts';

/** A section for each use of a store that sent a statement. `take` returns the statements sent since it was last called. */
export async function sectionsOf(
  store: Store,
  uses: Readonly<Record<string, (store: never) => unknown>>,
  take: () => readonly string[],
): Promise<string[]> {
  const sections: string[] = [];
  for (const [name, use] of Object.entries(uses)) {
    await use(store as never);
    const sent = take();
    if (sent.length > 0) sections.push(`-- ${name}\n${sent.join('\n')}`);
  }
  return sections;
}
