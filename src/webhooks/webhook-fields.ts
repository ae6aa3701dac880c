import {
  addUnknownFields,
  FaultList,
  type FieldFault,
  type FieldFaultCode,
  MAX_SUGGESTIONS,
  readText,
  type WrittenFields,
  wrongType,
  wrongValue,
} from '../../values/fault-list.ts';
import { knownNames } from '../../values/known-names.ts';
import { faultyFields } from '../../values/problem.ts';
import { quote } from '../../values/quote.ts';
import type { StatusNames } from '../../values/status.ts';
import { explainLabel } from '../keys/api-key.ts';
import { WEBHOOK_STATES, type WebhookEndpoint, type WebhookState } from './webhook.ts';
import { WEBHOOK_SIGNINGS, type WebhookSigning } from './webhook-message.ts';

type WebhookFields = Pick<WebhookEndpoint, 'url' | 'types' | 'label' | 'ordered'>;

export type NewWebhookFields = WebhookFields & { signing: WebhookSigning };

export type WebhookChanges = Partial<WebhookFields> & { state?: WebhookState };

export interface WebhookRules {
  statuses: StatusNames;
  /** The explanation does not repeat the URL, because a URL can contain a token. */
  explainUrl: (text: string) => string | undefined;
}

const FIELDS = ['url', 'types', 'label', 'ordered'];
const NEW_FIELDS = new Set([...FIELDS, 'signing']);
const REPLAY_FIELDS = new Set(['after']);
const CHANGED_FIELDS = new Set([...FIELDS, 'state']);

export function parseNewWebhook(written: WrittenFields, rules: WebhookRules): NewWebhookFields {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(written, NEW_FIELDS, faults, 'a new endpoint');
  if ((written['url'] ?? null) === null)
    faults.add({ field: 'url', code: 'missing_field', detail: 'is missing' });
  const { url = '', types = null, label = null, ordered = false } = readFields(written, rules, faults);
  const signing =
    readOne('signing', 'a way of signing', WEBHOOK_SIGNINGS, written['signing'], faults) ?? 'v1';
  if (faults.count > 0) throw faultyFields(faults);
  return { url, types, label, ordered, signing };
}

export function parseWebhookChanges(written: WrittenFields, rules: WebhookRules): WebhookChanges {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(written, CHANGED_FIELDS, faults, 'an endpoint');
  if (written['url'] === null)
    faults.add(wrongType('url', null, 'a URL, or omit it to keep the present one'));
  const fields: WebhookChanges = readFields(written, rules, faults);
  const state = readOne('state', 'a state of an endpoint', WEBHOOK_STATES, written['state'], faults);
  if (state !== undefined) fields.state = state;
  if (faults.count > 0) throw faultyFields(faults);
  return fields;
}

export function parseReplay(written: WrittenFields): number {
  const faults = new FaultList<FieldFault>();
  addUnknownFields(written, REPLAY_FIELDS, faults, 'a replay');
  const after = written['after'];
  if (after === undefined) faults.add({ field: 'after', code: 'missing_field', detail: 'is missing' });
  else if (typeof after !== 'number')
    faults.add(wrongType('after', after, 'a sequence number, or 0 for all changes'));
  else if (!Number.isSafeInteger(after) || after < 0)
    faults.add(wrongValue('after', 'is not a sequence number; write a whole number of at least 0'));
  if (faults.count > 0) throw faultyFields(faults);
  return after as number;
}

function readFields(
  written: WrittenFields,
  rules: WebhookRules,
  faults: FaultList<FieldFault>,
): Partial<WebhookFields> {
  const read: Partial<WebhookFields> = {};
  const url = readText(written, 'url', faults);
  if (typeof url === 'string') {
    const detail = rules.explainUrl(url);
    if (detail === undefined) read.url = url;
    else faults.add(wrongValue('url', detail));
  }
  const types = readTypes(written['types'], rules.statuses, faults);
  if (types !== undefined) read.types = types;
  const label = readText(written, 'label', faults);
  const labelFault = typeof label === 'string' ? explainLabel(label) : undefined;
  if (labelFault !== undefined) faults.add(wrongValue('label', labelFault));
  else if (label !== undefined) read.label = label;
  const { ordered } = written;
  if (typeof ordered === 'boolean') read.ordered = ordered;
  else if (ordered !== undefined) faults.add(wrongType('ordered', ordered, 'true or false'));
  return read;
}

function readOne<Word extends string>(
  field: string,
  what: string,
  words: readonly Word[],
  value: unknown,
  faults: FaultList<FieldFault>,
): Word | undefined {
  const word = words.find((one) => one === value);
  if (value === undefined || word !== undefined) return word;
  faults.add(
    typeof value === 'string'
      ? wrongValue(
          field,
          `is ${quote(value)}, which is not ${what}${knownNames(value, words, field === 'state' ? 'states' : 'ways')}`,
        )
      : wrongType(field, value, 'it as a string'),
  );
  return undefined;
}

function readTypes(
  value: unknown,
  statuses: StatusNames,
  faults: FaultList<FieldFault>,
): readonly string[] | null | undefined {
  if (value === undefined || value === null) return value;
  if (!Array.isArray(value)) {
    faults.add(wrongType('types', value, 'a list of types, or null for all'));
    return undefined;
  }
  if (value.length === 0) faults.add(wrongValue('types', 'is empty; write null for all types'));
  const known = [...statuses.keys()].map((status) => `transaction.${status}`);
  const seen = new Set<unknown>();
  const refuse = (index: number, code: FieldFaultCode, detail: string) =>
    faults.add({ field: 'types', index, code, detail });
  for (const [index, type] of value.entries()) {
    if (faults.isFull) {
      faults.countUnlisted(value.slice(index).filter((type) => !known.includes(type)).length);
      break;
    }
    if (typeof type !== 'string') faults.add({ ...wrongType('types', type, 'it as a string'), index });
    else if (!known.includes(type))
      refuse(
        index,
        'invalid_value',
        `${quote(type)} is not a type of this service${knownNames(type, known, 'types', faults.count < MAX_SUGGESTIONS)}${type === '*' ? '; write null as types for all' : ''}`,
      );
    else if (seen.has(type)) refuse(index, 'duplicate_value', 'is in the list twice');
    seen.add(type);
  }
  return value;
}
