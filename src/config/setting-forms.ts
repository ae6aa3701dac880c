import { isIP } from 'node:net';
import type { RateLimit } from '../core/access/rate-limit.ts';
import { quote } from '../core/quote.ts';

/** One setting of the environment. The documents' table is made of these. */
export interface Setting<Value> {
  name: string;
  type: string;
  bounds: string;
  default: string;
  description: string;
  /** What is used where the setting is not given. */
  absent: Value;
  /** The value, or the faults of the text as predicates: "is not ...". A secret's faults never hold it. */
  parse(text: string): { value: Value } | { faults: string[] };
}

/** Reads a whole number within bounds, written in digits alone. */
export function wholeNumber(least: number, most: number) {
  return (text: string) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return { value };
    return { faults: [`is ${quote(text)}, which is not a whole number from ${least} to ${most}`] };
  };
}

/** Reads a rate, with a burst of so many times what it admits in a second. */
export function rate(burstSeconds: number) {
  const inRange = wholeNumber(1, 1_000_000);
  return (text: string): { value: RateLimit | null } | { faults: string[] } => {
    if (text === 'off') return { value: null };
    const parsed = inRange(text);
    if ('value' in parsed) return { value: { perSecond: parsed.value, burst: parsed.value * burstSeconds } };
    return { faults: parsed.faults.map((fault) => `${fault}, or off`) };
  };
}

/** Whether a text is an IP address, or a range of them as CIDR writes it. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
