import type { Api, Transaction } from '../state/api.ts';
import { type Left, loadLeft } from '../state/left.ts';

const AT_ONCE = 6;

export class Lefts {
  readonly #api: Api;
  readonly #lefts = new Map<string, Left | undefined>();

  constructor(api: Api) {
    this.#api = api;
  }

  of({ relatedTo }: Transaction): Left | undefined {
    return relatedTo === undefined ? undefined : this.#lefts.get(relatedTo);
  }

  async load(rows: readonly Transaction[], signal: AbortSignal): Promise<void> {
    const missing = new Set(rows.map(({ relatedTo }) => relatedTo).filter((one) => one !== undefined));
    const next = [...missing].filter((reference) => !this.#lefts.has(reference)).values();
    const work = async () => {
      for (const reference of next) this.#lefts.set(reference, await loadLeft(this.#api, reference, signal));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}
