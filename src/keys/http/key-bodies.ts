import { faultyFields } from '../../http/problems/problem.ts';
import { explainTimestamp, parseTimestamp } from '../../values/calendar.ts';
import { addUnknownFields, FaultList, readText, type WrittenFields } from '../../values/fault-list.ts';
import type { FieldFault } from '../../values/field-fault.ts';
import { quote } from '../../values/quote.ts';
import type { Scope } from '../../values/scopes.ts';
import { explainLabel, type NewApiKey } from '../api-key.ts';
import { DEFAULT_GRACE, GRACE_FORM, parseGrace, type RollRequest } from '../roll-key.ts';
import { DEFAULT_SCOPES, readScopes } from '../scopes.ts';

const KEY_FIELDS = new Set(['label', 'scopes', 'expiresAt']);
const ROLL_FIELDS = new Set(['grace', 'expiresAt']);

/**
 * The key that a request describes.
 *
 * Throws: `invalid_fields` with every fault.
 */
export function readKeyRequest(account: string, body: WrittenFields, nowMs: number): NewApiKey {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(body, KEY_FIELDS, faults, 'a key');
  const label = readText(body, 'label', faults) ?? null;
  const labelFault = label === null ? undefined : explainLabel(label);
  if (labelFault !== undefined) faults.add({ field: 'label', code: 'invalid_value', detail: labelFault });
  const scopes = scopesOfBody(body, faults);
  const expiresAtMs = readExpiry(body, nowMs, faults) ?? null;
  if (faults.count > 0) throw faultyFields(faults);
  return { account, label, scopes, expiresAtMs };
}

/**
 * How a request rolls a key.
 *
 * Throws: `invalid_fields` with every fault.
 */
export function readRollRequest(body: WrittenFields, nowMs: number): RollRequest {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(body, ROLL_FIELDS, faults, 'a roll');
  const grace = readText(body, 'grace', faults) ?? DEFAULT_GRACE;
  const graceMs = parseGrace(grace);
  if (graceMs === undefined)
    faults.add({
      field: 'grace',
      code: 'invalid_value',
      detail: `is ${quote(grace)}, which cannot be a grace; ${GRACE_FORM}`,
    });
  const expiresAtMs = readExpiry(body, nowMs, faults);
  if (faults.count > 0) throw faultyFields(faults);
  return { graceMs: graceMs ?? 0, expiresAtMs };
}

function scopesOfBody(body: WrittenFields, faults: FaultList<FieldFault>): readonly Scope[] {
  const value = body['scopes'] ?? null;
  if (value === null) return DEFAULT_SCOPES.account;
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    const detail = 'is not a list of texts; write for example ["read"]';
    faults.add({ field: 'scopes', code: 'invalid_type', detail });
    return [];
  }
  const read = readScopes(value, 'account');
  if ('scopes' in read) return read.scopes;
  faults.add({ field: 'scopes', code: 'invalid_value', detail: read.fault });
  return [];
}

/** A time in the future. Null for never; undefined if the field is absent or faulty. */
function readExpiry(
  body: WrittenFields,
  nowMs: number,
  faults: FaultList<FieldFault>,
): number | null | undefined {
  const field = 'expiresAt';
  const text = readText(body, field, faults);
  if (text === null || text === undefined) return text;
  const expiresAtMs = parseTimestamp(text);
  if (expiresAtMs === undefined) faults.add({ field, code: 'invalid_value', detail: explainTimestamp(text) });
  else if (expiresAtMs <= nowMs)
    faults.add({
      field,
      code: 'in_the_past',
      detail: 'is in the past; write a time in the future, or null for a key that never expires',
    });
  return expiresAtMs;
}
