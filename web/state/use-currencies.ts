import { useEffect, useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { useRoute } from './use-route.ts';

const known = new WeakMap<Api, Promise<readonly string[]>>();

/** The currencies of the account, which are requested once, or with later lists until they are known. None while they are not known. */
export function useCurrencies(api: Api): readonly string[] {
  const [currencies, setCurrencies] = useState<readonly string[]>([]);
  const { visit } = useRoute();
  useEffect(() => {
    const loading = known.get(api) ?? load(api);
    known.set(api, loading);
    loading.then(setCurrencies, () => known.delete(api));
  }, [api, visit]);
  return currencies;
}

async function load(api: Api): Promise<readonly string[]> {
  // The requests of the list and of its totals are sent first.
  await undefined;
  const { data } = await api.totals({});
  return [...new Set(data.map(({ currencyCode }) => currencyCode))];
}
