import { type BodyFault, bodyFault } from '../../http/problems/body-fault.ts';
import { faultyFields } from '../../http/problems/problem.ts';
import { explainTimestamp, formatTimestamp, parseTimestamp, timeOrNull } from '../../values/calendar.ts';
import { addUnknownFields, FaultList, unknownField } from '../../values/fault-list.ts';
import type { FieldFaultCode } from '../../values/field-fault.ts';
import { quote } from '../../values/quote.ts';
import { SCOPES, type Scope } from '../../values/scopes.ts';
import { type ApiKey, explainLabel, type NewApiKey, stateOfApiKey } from '../api-key.ts';
import { DEFAULT_GRACE, GRACE_FORM, parseGrace, type RollRequest } from '../roll-key.ts';
import { DEFAULT_SCOPES, readScopes } from '../scopes.ts';
import type { ListedKey } from './api-key-schemas.ts';

type Body = Readonly<Record<string, unknown>>;

const KEY_FIELDS = ['label', 'scopes', 'expiresAt'] as const;
const ROLL_FIELDS = ['grace', 'expiresAt'] as const;

/**
 * The key that a request describes.
 *
 * Throws: `invalid_fields` with every fault.
 */
export function readKeyRequest(account: string, body: Body, nowMs: number): NewApiKey {
  const fields = new Fields(body, KEY_FIELDS, 'a key');
  const label = fields.text('label') ?? null;
  const labelFault = label === null ? undefined : explainLabel(label);
  if (labelFault !== undefined) fields.refuse('label', labelFault);
  const scopes = fields.scopes();
  const expiresAtMs = fields.expiresAtMs(nowMs) ?? null;
  fields.refuseFaulty();
  return { account, label, scopes, expiresAtMs };
}

/**
 * How a request rolls a key.
 *
 * Throws: `invalid_fields` with every fault.
 */
export function readRollRequest(body: Body, nowMs: number): RollRequest {
  const fields = new Fields(body, ROLL_FIELDS, 'a roll');
  const grace = fields.text('grace') ?? DEFAULT_GRACE;
  const graceMs = parseGrace(grace);
  if (graceMs === undefined) fields.refuse('grace', `is ${quote(grace)}, which is not a time; ${GRACE_FORM}`);
  const expiresAtMs = fields.expiresAtMs(nowMs);
  fields.refuseFaulty();
  return { graceMs: graceMs ?? 0, expiresAtMs };
}

/** Reads the fields of a body, and collects their faults. */
class Fields<Name extends string> {
  readonly #body: Body;
  readonly #faults = new FaultList<BodyFault>();

  constructor(body: Body, names: readonly Name[], what: string) {
    this.#body = body;
    const describe = unknownField(what, names);
    addUnknownFields(body, new Set(names), this.#faults, (field, isNearestSearched) =>
      bodyFault(describe(field, isNearestSearched)),
    );
  }

  refuse(name: Name, detail: string, code: FieldFaultCode = 'invalid_value'): void {
    this.#faults.add(bodyFault({ field: name, code, detail }));
  }

  /** Undefined if the field is absent. */
  text(name: Name): string | null | undefined {
    const value = this.#body[name];
    if (value === undefined || value === null || typeof value === 'string') return value;
    this.refuse(name, `is a ${typeof value}; write it as a string`, 'invalid_type');
    return null;
  }

  scopes(this: Fields<'scopes' | Name>): readonly Scope[] {
    const value = this.#body['scopes'] ?? null;
    if (value === null) return DEFAULT_SCOPES.account;
    const isList = Array.isArray(value) && value.every((name) => typeof name === 'string');
    if (!isList) {
      this.refuse('scopes', 'is not a list of texts; write for example ["read"]', 'invalid_type');
      return [];
    }
    const read = readScopes(value, 'account');
    if ('scopes' in read) return read.scopes;
    this.refuse('scopes', read.fault);
    return [];
  }

  /** A time in the future. Null for never; undefined if the field is absent. */
  expiresAtMs(this: Fields<'expiresAt' | Name>, nowMs: number): number | null | undefined {
    const text = this.text('expiresAt');
    if (text === null || text === undefined) return text;
    const expiresAtMs = parseTimestamp(text);
    if (expiresAtMs === undefined) this.refuse('expiresAt', explainTimestamp(text));
    else if (expiresAtMs <= nowMs)
      this.refuse(
        'expiresAt',
        'is in the past; write a time in the future, or null for a key that never expires',
        'in_the_past',
      );
    return expiresAtMs;
  }

  /** Throws: `invalid_fields` if there are faults. */
  refuseFaulty(): void {
    if (this.#faults.count > 0) throw faultyFields(this.#faults);
  }
}

export function listedKey(key: ApiKey, nowMs: number): ListedKey {
  return {
    ...createdKey(key),
    state: stateOfApiKey(key, nowMs),
    revokedAt: timeOrNull(key.revokedAtMs),
    rolledAt: timeOrNull(key.rolledAtMs),
    lastUsedAt: timeOrNull(key.lastUsedAtMs),
  };
}

/** The scopes that this version knows, in their order. */
export const scopesOf = ({ scopes }: Pick<ApiKey, 'scopes'>) =>
  SCOPES.account.filter((scope) => scopes.includes(scope));

/** What a new key and a listed one have in common. */
export function createdKey(key: ApiKey) {
  return {
    id: key.id,
    account: key.account,
    keyStart: key.keyStart,
    label: key.label,
    scopes: scopesOf(key),
    createdAt: formatTimestamp(key.createdAtMs),
    expiresAt: timeOrNull(key.expiresAtMs),
  };
}
