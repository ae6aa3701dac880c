import type { Fetch } from '../../client/src/request.ts';
import { Signal } from './signal.ts';

/** How far this device's clock is ahead of the service's clock. */
export const aheadMs = new Signal(0);

/** A difference smaller than this can be an error: responses take time, and their Date has whole seconds. */
export const INEXACT_MS = 2000;

export const nowMs = (): number => Date.now() - aheadMs.value;

export const timedFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  const found = Date.now() - Date.parse(response.headers.get('date') ?? '');
  if (Math.abs(found - aheadMs.value) > INEXACT_MS) aheadMs.value = found;
  return response;
};
