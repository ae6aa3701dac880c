import { LABEL_MAX_CHARACTERS } from '../../keys/api-key.ts';
import { STATUS_FORM } from '../../values/status.ts';
import type { RecordTable } from '../../values/tables.ts';
import { bucketOf, WEBHOOK_BUCKETS } from '../../webhooks/webhook.ts';
import { URL_MAX_CHARACTERS } from '../../webhooks/webhook-fields.ts';
import { isStoredIdentifier, isStoredTime, type RowFault } from './check-row.ts';
import type { VerifyContext } from './context.ts';
import {
  bothOrNeither,
  IDENTIFIER_TEXT,
  isMatch,
  isText,
  OPTIONAL_TIME_TEXT,
  orNull,
  type Rule,
  type TableRules,
  TIME_TEXT,
  textOf,
  type Value,
} from './record-rules.ts';
import type { StoredRecord } from './verify-reader.ts';

const ENDPOINT_ID = /^we_[0-9A-Za-z]{16}$/;
const ENDPOINT_ID_TEXT = 'we_ and 16 letters and digits';
/** At least 24 bytes. Source: Standard Webhooks 1.0.0. */
const SECRET = /^whsec_[0-9A-Za-z+/]{32,88}={0,2}$/;
const SECRET_TEXT = 'whsec_ and base64';
const WEB_ADDRESS = /^https?:\/\/\S+$/i;
const TYPE = new RegExp(`^transaction\\.${STATUS_FORM.slice(1)}`);

const isWebAddress = (value: Value) => isMatch(WEB_ADDRESS)(value) && isText(1, URL_MAX_CHARACTERS)(value);

const isWhole = (min: number, max: number) => (value: Value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
const atLeast = (min: number) => isWhole(min, Number.MAX_SAFE_INTEGER);
const bucket: Rule = ['bucket', isWhole(0, WEBHOOK_BUCKETS - 1), `0 to ${WEBHOOK_BUCKETS - 1}`];
const instance: Rule = ['instance', isText(1, 100), '1 to 100 characters'];

function isTypes(value: Value): boolean {
  if (typeof value !== 'string') return false;
  try {
    const types: unknown = JSON.parse(value);
    return Array.isArray(types) && types.every((type) => typeof type === 'string' && TYPE.test(type));
  } catch {
    return false;
  }
}

const ENDPOINT: readonly Rule[] = [
  ['account', isStoredIdentifier, IDENTIFIER_TEXT],
  ['id', isMatch(ENDPOINT_ID), ENDPOINT_ID_TEXT],
  ['url', isWebAddress, 'the address of a receiver'],
  ['types', orNull(isTypes), 'a JSON array of types such as transaction.completed, or null'],
  ['label', orNull(isText(1, LABEL_MAX_CHARACTERS)), `1 to ${LABEL_MAX_CHARACTERS} characters, or null`],
  ['ordered', isWhole(0, 1), '0 or 1'],
  ['secret', isMatch(SECRET), SECRET_TEXT],
  ['previous_secret', orNull(isMatch(SECRET)), `${SECRET_TEXT}, or null`],
  ['previous_secret_until_ms', orNull(isStoredTime), OPTIONAL_TIME_TEXT],
  ['created_at_ms', isStoredTime, TIME_TEXT],
  ['disabled_reason', orNull(isMatch(/^(requested|gone|failing)$/)), 'requested, gone, failing or null'],
  ['disabled_at_ms', orNull(isStoredTime), OPTIONAL_TIME_TEXT],
  ['version', atLeast(1), 'a number of at least 1'],
  ['replay_version', atLeast(0), 'a number of at least 0'],
  ['acknowledged_sequence', atLeast(0), 'a number of at least 0'],
  ['failing_since_ms', orNull(isStoredTime), OPTIONAL_TIME_TEXT],
];

const FAILURE: readonly Rule[] = [
  ['account', isStoredIdentifier, IDENTIFIER_TEXT],
  ['endpoint_id', isMatch(ENDPOINT_ID), ENDPOINT_ID_TEXT],
  ['sequence', atLeast(1), 'a number of at least 1'],
  ['attempts', atLeast(1), 'a number of at least 1'],
  ['first_failed_at_ms', isStoredTime, TIME_TEXT],
  ['last_failed_at_ms', isStoredTime, TIME_TEXT],
  ['next_attempt_at_ms', orNull(isStoredTime), OPTIONAL_TIME_TEXT],
  ['response_status', orNull(isWhole(100, 999)), 'a status of HTTP, or null'],
];

/** The previous secret is not shown. */
function checkEndpoint(record: StoredRecord): RowFault[] {
  const { account, version, replay_version: replay, previous_secret: previous } = record;
  const faults = bothOrNeither(record, 'disabled_reason', 'disabled_at_ms');
  if ((previous === null) !== (record['previous_secret_until_ms'] === null))
    faults.push({
      found: `a previous secret ${previous === null ? 'that is missing' : 'without its time'}`,
      expected: 'both or neither',
    });
  if (Number(replay) > Number(version))
    faults.push({ found: `replay_version ${replay}`, expected: `at most ${version}, the version` });
  const right = bucketOf(textOf(account));
  if (record['bucket'] !== right)
    faults.push({ found: `bucket ${record['bucket']}`, expected: `${right}, the bucket of the account` });
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
  const ofInstances = { check: 'webhooks', count: null, account: () => null, together: () => [] } as const;

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
    webhook_instances: {
      ...ofInstances,
      rules: [instance, ['expires_at_ms', isStoredTime, TIME_TEXT]],
      place: (record) => `instance ${textOf(record['instance'])}`,
    },
    webhook_leases: {
      ...ofInstances,
      rules: [bucket, instance],
      place: (record) => `lease of bucket ${record['bucket']}`,
    },
  } satisfies Partial<Record<RecordTable, TableRules>>;
}
