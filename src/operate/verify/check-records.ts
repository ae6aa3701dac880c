import { STATUS_FORM } from '../../../values/status.ts';
import { type RecordTable, TABLES } from '../../../values/tables.ts';
import { AUDIT_ACTIONS } from '../../audit/audit.ts';
import { kindOfAccount, scopesOfStored } from '../../keys/api-key.ts';
import { type RowFault, show, type Verified } from '../disagreement.ts';
import { readAllRecords, type StoredRecord } from '../stored-rows.ts';
import { rowAt } from './check-values.ts';
import { isReadable, type VerifyContext } from './context.ts';

type Rule = (record: StoredRecord) => RowFault[] | Promise<RowFault[]>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : String(value));

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(textOf(value));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const faultIf = (isFault: boolean, found: string, expected: string): RowFault[] =>
  isFault ? [{ found, expected }] : [];

function checkScopes({ account, scopes }: StoredRecord): RowFault[] {
  const usable = scopesOfStored(textOf(scopes), kindOfAccount(textOf(account))).join(' ');
  return faultIf(
    usable !== scopes,
    `scopes ${show(scopes)}`,
    'scopes of the kind of the key, in their order',
  );
}

const REPEATED = { account: 'account', id: 'id', startedAtMs: 'started_at_ms' } as const;

function checkExport({ record, ...columns }: StoredRecord): RowFault[] {
  const value = parsed(record);
  if (!isObject(value)) return [{ found: 'a record that is no JSON object', expected: 'a JSON object' }];
  return Object.entries(REPEATED).flatMap(([name, column]) =>
    faultIf(
      value[name] !== columns[column],
      `${name} ${show(value[name])} in the record`,
      show(columns[column]),
    ),
  );
}

function checkAudit({ action, detail }: StoredRecord): RowFault[] {
  return [
    ...faultIf(
      !AUDIT_ACTIONS.some((known) => known === action),
      `action ${show(action)}`,
      'the name of a change',
    ),
    ...faultIf(
      detail !== null && !isObject(parsed(detail)),
      'a detail that is no JSON object',
      'a JSON object, or null',
    ),
  ];
}

const TYPE = new RegExp(`^transaction\\.${STATUS_FORM.slice(1)}`);

function checkTypes({ types }: StoredRecord): RowFault[] {
  const value = types === null ? [] : parsed(types);
  const areTypes = Array.isArray(value) && value.every((type) => typeof type === 'string' && TYPE.test(type));
  const expected = 'a JSON array of types such as transaction.completed, or null';
  return faultIf(!areTypes, `types ${show(types)}`, expected);
}

const checkSettings = ({ settings }: StoredRecord): RowFault[] =>
  faultIf(!isObject(parsed(settings)), `settings ${show(settings)}`, 'a JSON object');

/** A record must be read before the rows to which it refers, because the service may write meanwhile. */
function comparisons({ reader, schema }: VerifyContext) {
  const hasTables = (...tables: string[]) => tables.every((table) => schema.tables.has(table));
  let cached: { account: string; head: number } | undefined;
  const beyondHead = async (column: string, record: StoredRecord): Promise<RowFault[]> => {
    const account = textOf(record['account']);
    const sequence = Number(record[column]);
    if (!hasTables('accounts', 'transactions')) return [];
    if (cached?.account !== account || sequence > cached.head) {
      const { head, largest } = await reader.readHead(account);
      cached = { account, head: head ?? largest };
    }
    return faultIf(
      sequence > cached.head,
      `${column} ${sequence}`,
      `at most ${cached.head}, the head sequence`,
    );
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
    return faultIf(isThere, 'no webhook', 'a webhook with this id');
  };
  const withoutTransaction = async (record: StoredRecord): Promise<RowFault[]> => {
    const [account, key, reference] = [record['account'], record['key'], record['reference']].map(textOf) as [
      string,
      string,
      string,
    ];
    if (!hasTables('transactions', 'accounts', 'archives')) return [];
    if (await reader.canHaveTransaction(account, reference)) return [];
    // During the check, an erasure may have removed the transaction and its key. Then nothing is wrong.
    const isThere = await reader.hasRecord('idempotency_keys', [account, key]);
    return faultIf(isThere, `reference ${show(reference)}`, 'the reference of a transaction of the account');
  };
  return { beyondHead, withoutEndpoint, withoutTransaction };
}

export async function checkRecords(context: VerifyContext, account: string | null): Promise<void> {
  const { beyondHead, withoutEndpoint, withoutTransaction } = comparisons(context);
  const rules: Partial<Record<RecordTable, readonly [count: keyof Verified | null, ...Rule[]]>> = {
    api_keys: ['apiKeys', checkScopes],
    idempotency_keys: ['idempotencyKeys', withoutTransaction],
    exports: ['exports', checkExport],
    key_audit: ['auditEntries', checkAudit],
    account_audit: ['auditEntries', checkAudit],
    webhook_endpoints: ['webhooks', checkTypes, (record) => beyondHead('acknowledged_sequence', record)],
    webhook_failures: ['webhookFailures', (record) => beyondHead('sequence', record), withoutEndpoint],
    instances: [null, checkSettings],
  };
  for (const [table, [count, ...own]] of Object.entries(rules) as [
    RecordTable,
    [keyof Verified | null, ...Rule[]],
  ][])
    if (context.schema.tables.has(table))
      await isReadable(context, { account: null, place: `table ${table}` }, async () => {
        for await (const records of readAllRecords(context.reader, table, account)) {
          for (const record of records) {
            const at = rowAt(
              table,
              TABLES[table].key.map((column) => record[column] ?? null),
            );
            for (const rule of own)
              for (const fault of await rule(record)) await context.report({ ...at, ...fault });
          }
          if (count !== null) context.verified[count] += records.length;
          context.onProgress();
        }
      });
}
