import { useEffect, useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { useApi } from './use-api.ts';
import { useRoute } from './use-route.ts';

const known = new WeakMap<Api, Promise<readonly string[]>>();

/** If the request fails, it is sent again when a list is opened. */
export function useCurrencies(): readonly string[] {
  const api = useApi();
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
  // Waits for a microtask, so that the list and its totals are requested first.
  await undefined;
  const { data } = await api.totals({});
  return [...new Set(data.map(({ currencyCode }) => currencyCode))];
}
