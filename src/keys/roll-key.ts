import { DAY_MS, LAST_TIMESTAMP_MS } from '../../values/calendar.ts';
import { MAX_GRACE_DAYS } from '../../values/interface/limits.ts';
import type { RandomBytes } from '../../values/reference.ts';
import type { AuditEntry, AuditStamp } from '../audit/audit.ts';
import { type ApiKey, isUsable, makeApiKey } from './api-key.ts';
import { type ApiKeyStore, type KeyRoll, keyRolled } from './keys.ts';

export const DEFAULT_GRACE = '24h';
const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
const GRACE = /^(?:0|([1-9]\d{0,6})([smhd]))$/;

/** Returns undefined if the text has another form or means more than MAX_GRACE_DAYS. */
export function parseGrace(text: string): number | undefined {
  const parts = GRACE.exec(text);
  if (parts === null) return undefined;
  const [, number = '0', unit = 's'] = parts;
  const graceMs = Number(number) * (UNITS_MS[unit] as number);
  return graceMs <= MAX_GRACE_DAYS * DAY_MS ? graceMs : undefined;
}

export const GRACE_FORM = `write 0, or a number with s, m, h or d, such as 90s or ${DEFAULT_GRACE}, of at most ${MAX_GRACE_DAYS}d`;

export interface RollRequest {
  graceMs: number;
  /** Null means never. If undefined, the new key gets the lifetime of the old key. */
  expiresAtMs: number | null | undefined;
}

export function makeRoll(
  old: ApiKey,
  { graceMs, expiresAtMs }: RollRequest,
  nowMs: number,
  randomBytes: RandomBytes,
): { key: string; roll: KeyRoll & { created: ApiKey } } {
  const { key, stored } = makeApiKey(
    { ...old, expiresAtMs: expiresAtMs === undefined ? sameLifeFrom(nowMs, old) : expiresAtMs },
    nowMs,
    randomBytes,
  );
  const { account, id } = old;
  return { key, roll: { account, id, created: stored, untilMs: nowMs + graceMs, nowMs } };
}

function sameLifeFrom(nowMs: number, old: ApiKey): number | null {
  const expiresAtMs = old.rolledAtMs === null ? old.expiresAtMs : old.expiresBeforeRollMs;
  if (expiresAtMs === null) return null;
  // A key that expires at the end of a day was made for whole days, so the new key also lasts whole days.
  const isWholeDay = expiresAtMs % DAY_MS === 0;
  const [fromMs, untilMs] = isWholeDay
    ? [startOfDay(old.createdAtMs), startOfDay(nowMs)]
    : [old.createdAtMs, nowMs];
  return Math.min(untilMs + expiresAtMs - fromMs, LAST_TIMESTAMP_MS);
}

const startOfDay = (ms: number) => ms - (ms % DAY_MS);

export interface RolledKey {
  key: string;
  created: ApiKey;
  old: ApiKey;
  entry: AuditEntry;
}

export async function rollKey(
  store: Pick<ApiKeyStore, 'rollApiKey'>,
  old: ApiKey,
  request: RollRequest,
  stamp: AuditStamp,
  randomBytes: RandomBytes,
): Promise<RolledKey | undefined> {
  const nowMs = stamp.atMs;
  if (!isUsable(old, nowMs)) return undefined;
  const { key, roll } = makeRoll(old, request, nowMs, randomBytes);
  const entry = keyRolled(roll, stamp);
  const rolled = await store.rollApiKey(roll, entry);
  return rolled && { key, created: roll.created, old: rolled, entry };
}
