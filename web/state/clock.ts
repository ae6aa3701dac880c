import type { Fetch } from '../../client/src/request.ts';
import { Signal } from './signal.ts';

/** How far the clock of this device is ahead of that of the service. Devices are minutes off, or a day. */
export const aheadMs = new Signal(0);

/** Smaller differences mean nothing, because a response takes time, and its Date has whole seconds. */
export const INEXACT_MS = 2000;

/** The time by the clock of the service: by that of this device, today can be another day. */
export const nowMs = (): number => Date.now() - aheadMs.value;

/** A fetch that notes the time of the service, which each response has. */
export const timedFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  const found = Date.now() - Date.parse(response.headers.get('date') ?? '');
  if (Math.abs(found - aheadMs.value) > INEXACT_MS) aheadMs.value = found;
  return response;
};
