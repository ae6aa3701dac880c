import {
  orNull,
  STORED_IDENTIFIER,
  STORED_NUMBER,
  STORED_TIME,
  storedAs,
  storedInteger,
  storedMatch,
  storedText,
} from '../../ledger/transaction-fields.ts';
import { STATUS_FORM } from '../../values/status.ts';
import type { RecordTable } from '../../values/tables.ts';
import { URL_MAX_CHARACTERS } from '../../webhooks/webhook-fields.ts';
import type { RowFault } from './check-row.ts';
import type { VerifyContext } from './context.ts';
import {
  bothOrNeither,
  COUNT,
  OPTIONAL_LABEL,
  OPTIONAL_TIME,
  type Rule,
  type TableRules,
  textOf,
} from './record-rules.ts';
import type { StoredRecord } from './verify-reader.ts';

const ENDPOINT_ID = storedMatch(/^we_[0-9A-Za-z]{16}$/, 'we_ and 16 letters and digits');
/** At least 24 bytes. Source: Standard Webhooks 1.0.0. */
const SECRET = storedMatch(
  /^(?:whsec_[0-9A-Za-z+/]{32,88}={0,2}|whsk_[0-9A-Za-z+/]{43}=)$/,
  'whsec_ or whsk_, and base64',
);
const WEB_ADDRESS = /^https?:\/\/\S+$/i;
const TYPE = new RegExp(`^transaction\\.${STATUS_FORM.slice(1)}`);

const isTypes = (text: string): boolean => {
  try {
    const types: unknown = JSON.parse(text);
    return Array.isArray(types) && types.every((type) => typeof type === 'string' && TYPE.test(type));
  } catch {
    return false;
  }
};

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
const URL_TEXT = storedText(URL_MAX_CHARACTERS);

const ENDPOINT: readonly Rule[] = [
  ['account', STORED_IDENTIFIER],
  ['id', ENDPOINT_ID],
  ['url', storedAs((text) => WEB_ADDRESS.test(text) && URL_TEXT.isValid(text), 'the address of a receiver')],
  ['types', orNull(storedAs(isTypes, 'a JSON array of types such as transaction.completed'))],
  ['label', OPTIONAL_LABEL],
  ['ordered', storedInteger(0, 1, '0 or 1')],
  ['secret', SECRET],
  ['previous_secret', orNull(SECRET)],
  ['previous_secret_until_ms', OPTIONAL_TIME],
  ['created_at_ms', STORED_TIME],
  ['disabled_reason', orNull(storedMatch(/^(requested|gone|failing)$/, 'requested, gone or failing'))],
  ['disabled_at_ms', OPTIONAL_TIME],
  ['version', STORED_NUMBER],
  ['replay_version', COUNT],
  ['acknowledged_sequence', COUNT],
  ['failing_since_ms', OPTIONAL_TIME],
  ['quick', orNull(storedInteger(0, 1, '0 or 1'))],
];

const FAILURE: readonly Rule[] = [
  ['account', STORED_IDENTIFIER],
  ['endpoint_id', ENDPOINT_ID],
  ['sequence', STORED_NUMBER],
  ['attempts', STORED_NUMBER],
  ['first_failed_at_ms', STORED_TIME],
  ['last_failed_at_ms', STORED_TIME],
  ['next_attempt_at_ms', OPTIONAL_TIME],
  ['response_status', orNull(storedInteger(100, 999, 'a status of HTTP'))],
];

/** The previous secret is not shown. */
function checkEndpoint(record: StoredRecord): RowFault[] {
  const { version, replay_version: replay, previous_secret: previous } = record;
  const faults = bothOrNeither(record, 'disabled_reason', 'disabled_at_ms');
  if ((previous === null) !== (record['previous_secret_until_ms'] === null))
    faults.push({
      found: `a previous secret ${previous === null ? 'that is missing' : 'without its time'}`,
      expected: 'both or neither',
    });
  if (Number(replay) > Number(version))
    faults.push({ found: `replay_version ${replay}`, expected: `at most ${version}, the version` });
  return faults;
}

/**
 * The rules of the tables of webhooks. An endpoint or a failure that changes meanwhile is no disagreement: it was read before what it is
 * compared with, the head only grows, and an endpoint is deleted together with its failures.
 */
export function webhookRules({ reader, schema }: VerifyContext) {
  const hasTables = (...tables: string[]) => tables.every((table) => schema.tables.has(table));
  let last: { account: string; head: number } | undefined;
  /** Reads the head again only if a number is beyond the one that was read last. */
  const beyondHead = async (column: string, record: StoredRecord): Promise<RowFault[]> => {
    const account = textOf(record['account']);
    const sequence = Number(record[column]);
    if (!hasTables('accounts', 'transactions')) return [];
    if (last?.account !== account || sequence > last.head) {
      const { head, largest } = await reader.readHead(account);
      last = { account, head: head ?? largest };
    }
    if (sequence <= last.head) return [];
    return [{ found: `${column} ${sequence}`, expected: `at most ${last.head}, the head sequence` }];
  };
  let found = '';
  const withoutEndpoint = async (record: StoredRecord): Promise<RowFault[]> => {
    const key = [textOf(record['account']), textOf(record['endpoint_id'])];
    if (found === key.join(' ') || !hasTables('webhook_endpoints')) return [];
    if (await reader.hasRecord('webhook_endpoints', key)) {
      found = key.join(' ');
      return [];
    }
    const isThere = await reader.hasRecord('webhook_failures', [...key, Number(record['sequence'])]);
    return isThere ? [{ found: 'no webhook', expected: 'a webhook with this id' }] : [];
  };
  const account = (record: StoredRecord) => textOf(record['account']);

  return {
    webhook_endpoints: {
      check: 'webhooks',
      count: 'webhooks',
      rules: ENDPOINT,
      place: ({ id }) => `webhook ${textOf(id)}`,
      account,
      together: checkEndpoint,
      compare: (record) => beyondHead('acknowledged_sequence', record),
    },
    webhook_failures: {
      check: 'webhooks',
      count: 'webhookFailures',
      rules: FAILURE,
      place: ({ endpoint_id: id, sequence }) => `failure of change ${sequence} of webhook ${textOf(id)}`,
      account,
      together: () => [],
      compare: async (record) => [
        ...(await beyondHead('sequence', record)),
        ...(await withoutEndpoint(record)),
      ],
    },
    instances: {
      check: 'webhooks',
      count: null,
      rules: [
        ['instance', storedText(100)],
        ['settings', storedAs(isObject, 'a JSON object')],
        ['started_at_ms', STORED_TIME],
        ['seen_at_ms', STORED_TIME],
      ],
      place: (record) => `serving instance ${textOf(record['instance'])}`,
      account: () => null,
      together: () => [],
    },
    webhook_lease: {
      check: 'webhooks',
      count: null,
      rules: [
        ['instance', storedText(100)],
        ['expires_at_ms', STORED_TIME],
      ],
      place: () => 'webhook lease',
      account: () => null,
      together: () => [],
    },
  } satisfies Partial<Record<RecordTable, TableRules>>;
}
