import { explainTimestamp, parseTimestamp } from '../../../values/calendar.ts';
import {
  addUnknownFields,
  FaultList,
  type FieldFault,
  readText,
  type WrittenFields,
  wrongType,
  wrongValue,
} from '../../../values/fault-list.ts';
import { REASON_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { faultyFields } from '../../../values/problem.ts';
import { quote } from '../../../values/quote.ts';
import type { Scope } from '../../../values/scopes.ts';
import { DEFAULT_SCOPES, explainLabel, type NewApiKey, readScopes } from '../api-key.ts';
import { DEFAULT_GRACE, GRACE_FORM, parseGrace, type RollRequest } from '../roll-key.ts';
import { explainPerson, type NewSession, SESSION_SECONDS } from '../session.ts';

const KEY_FIELDS = new Set(['label', 'scopes', 'expiresAt']);
const ROLL_FIELDS = new Set(['grace', 'expiresAt']);
const SESSION_FIELDS = new Set(['person', 'scopes', 'expiresIn', 'reason']);
const CODE_FIELDS = new Set(['code']);

export function readKeyRequest(account: string, body: WrittenFields, nowMs: number): NewApiKey {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(body, KEY_FIELDS, faults, 'a key');
  const label = readLabel(body, 'label', faults) ?? null;
  const scopes = scopesOfBody(body, faults);
  const expiresAtMs = readExpiry(body, nowMs, faults) ?? null;
  if (faults.count > 0) throw faultyFields(faults);
  return { account, label, scopes, expiresAtMs };
}

export function readRollRequest(body: WrittenFields, nowMs: number): RollRequest {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(body, ROLL_FIELDS, faults, 'a roll');
  const grace = readText(body, 'grace', faults) ?? DEFAULT_GRACE;
  const graceMs = parseGrace(grace);
  if (graceMs === undefined)
    faults.add(wrongValue('grace', `is ${quote(grace)}, which cannot be a grace; ${GRACE_FORM}`));
  const expiresAtMs = readExpiry(body, nowMs, faults);
  if (faults.count > 0) throw faultyFields(faults);
  return { graceMs: graceMs ?? 0, expiresAtMs };
}

export function readSessionRequest(
  account: string,
  body: WrittenFields,
  maker: NewSession['maker'],
): NewSession {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(body, SESSION_FIELDS, faults, 'a session');
  const person = readRequired(body, 'person', faults, explainPerson);
  const reason = readLabel(body, 'reason', faults, REASON_MAX_CHARACTERS) ?? null;
  const scopes = scopesOfBody(body, faults);
  const expiresInMs = readSeconds(body, faults) * 1000;
  if (faults.count > 0) throw faultyFields(faults);
  return { account, person, reason, scopes, expiresInMs, maker };
}

/** Accepts any text, because an error must not say why a code is refused. */
export function readCodeRequest(body: WrittenFields): string {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(body, CODE_FIELDS, faults, 'an exchange');
  const code = readRequired(body, 'code', faults, () => undefined);
  if (faults.count > 0) throw faultyFields(faults);
  return code;
}

function readLabel(
  body: WrittenFields,
  field: string,
  faults: FaultList<FieldFault>,
  mostCharacters?: number,
): string | null | undefined {
  const text = readText(body, field, faults);
  const fault = typeof text === 'string' ? explainLabel(text, mostCharacters) : undefined;
  if (fault !== undefined) faults.add(wrongValue(field, fault));
  return text;
}

function readRequired(
  body: WrittenFields,
  field: string,
  faults: FaultList<FieldFault>,
  explain: (text: string) => string | undefined,
): string {
  const before = faults.count;
  const text = readText(body, field, faults) ?? null;
  if (text === null) {
    if (faults.count === before)
      faults.add({ field, code: 'missing_field', detail: 'is missing; it is required' });
    return '';
  }
  const fault = explain(text);
  if (fault !== undefined) faults.add(wrongValue(field, fault));
  return text;
}

function readSeconds(body: WrittenFields, faults: FaultList<FieldFault>): number {
  const field = 'expiresIn';
  const value = body[field] ?? SESSION_SECONDS.default;
  const { least, most } = SESSION_SECONDS;
  if (typeof value !== 'number') faults.add(wrongType(field, value, 'a number of seconds'));
  else if (!Number.isInteger(value) || value < least || value > most)
    faults.add(wrongValue(field, `is ${value}; write a whole number of seconds from ${least} to ${most}`));
  else return value;
  return most;
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
  faults.add(wrongValue('scopes', read.fault));
  return [];
}

/** Returns null for "never", and undefined if the field is absent or faulty. */
function readExpiry(
  body: WrittenFields,
  nowMs: number,
  faults: FaultList<FieldFault>,
): number | null | undefined {
  const field = 'expiresAt';
  const text = readText(body, field, faults);
  if (text === null || text === undefined) return text;
  const expiresAtMs = parseTimestamp(text);
  if (expiresAtMs === undefined) faults.add(wrongValue(field, explainTimestamp(text)));
  else if (expiresAtMs <= nowMs)
    faults.add({
      field,
      code: 'in_the_past',
      detail: 'is in the past; write a time in the future, or null for a key that never expires',
    });
  return expiresAtMs;
}
