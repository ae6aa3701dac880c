import { isKeyId, isKeyStart, kindOfAccount } from '../../keys/api-key.ts';
import { explainAccountPrefix, scopesOfStored } from '../../keys/scopes.ts';
import { isSessionId, PERSON_MAX_CHARACTERS, REASON_MAX_CHARACTERS } from '../../keys/session.ts';
import { SEAL_FORM } from '../../ledger/seals/seal.ts';
import {
  orNull,
  STORED_IDENTIFIER,
  STORED_STATUS,
  STORED_TIME,
  type StoredForm,
  storedAs,
  storedInteger,
  storedMatch,
  storedText,
} from '../../ledger/transaction-fields.ts';
import { DAY_MS } from '../../values/calendar.ts';
import type { RecordTable } from '../../values/tables.ts';
import { AUDIT } from './check-audit.ts';
import { type RowFault, show } from './check-row.ts';
import { webhookRules } from './check-webhooks.ts';
import { isReadable, type VerifyContext } from './context.ts';
import { readAllRecords } from './read-rows.ts';
import {
  accountOrOperator,
  COUNT,
  OPTIONAL_LABEL,
  OPTIONAL_TIME,
  SECRET_COLUMNS,
  type TableRules,
  textOf,
} from './record-rules.ts';
import type { StoredRecord } from './verify-reader.ts';

const SHA256 = storedMatch(/^[0-9a-f]{64}$/, '64 hexadecimal digits');
/** 32 bytes in unpadded base64url. */
const CURSOR_SECRET = /^[0-9A-Za-z_-]{43}$/;
/** Source: RFC 6749, 3.3. */
const SCOPES_FORM = /^[a-z]+( [a-z]+)*$/;

const isAccountPrefix = (text: string) => explainAccountPrefix(text) === undefined;

const API_KEYS: TableRules = {
  check: 'keys',
  count: 'apiKeys',
  rules: [
    ['id', storedAs((id) => isKeyId(id) || isSessionId(id), 'key_ or ses_, and 16 letters and digits')],
    ['kind', storedMatch(/^(?:key|session)$/, 'key or session')],
    ['account', accountOrOperator(STORED_IDENTIFIER.expected)],
    ['hash', SHA256],
    ['key_start', orNull(storedAs(isKeyStart, 'the prefix of a key and 6 characters'))],
    ['label', OPTIONAL_LABEL],
    ['scopes', storedMatch(SCOPES_FORM, 'names with one space between them')],
    ['account_prefix', orNull(storedAs(isAccountPrefix, STORED_IDENTIFIER.expected))],
    ['created_at_ms', STORED_TIME],
    ['expires_at_ms', OPTIONAL_TIME],
    ['revoked_at_ms', OPTIONAL_TIME],
    ['rolled_at_ms', OPTIONAL_TIME],
    ['expires_before_roll_ms', OPTIONAL_TIME],
    ['last_used_at_ms', OPTIONAL_TIME],
    ['person', orNull(storedText(PERSON_MAX_CHARACTERS))],
    ['reason', orNull(storedText(REASON_MAX_CHARACTERS))],
    ['code_expires_at_ms', OPTIONAL_TIME],
    ['opened_at_ms', OPTIONAL_TIME],
    ['made_by', orNull(storedAs(isKeyId, 'key_ and 16 letters and digits'))],
  ],
  place: ({ id }) => `key ${textOf(id)}`,
  account: ({ account }) => textOf(account),
  together: (record) => [...checkEnd(record), ...checkRights(record), ...checkKind(record)],
};

/** When the end of a key was recorded is known if it was revoked or rolled. */
function checkEnd({ revoked_at_ms, rolled_at_ms, end_recorded_at_ms }: StoredRecord): RowFault[] {
  const hasEnd = revoked_at_ms !== null || rolled_at_ms !== null;
  if (hasEnd === (end_recorded_at_ms !== null)) return [];
  return [
    {
      found: `end_recorded_at_ms ${end_recorded_at_ms}`,
      expected: hasEnd
        ? 'a time, because the key was revoked or rolled'
        : 'null for a key that was neither revoked nor rolled',
    },
  ];
}

/** A session has a person and the end of its code, and no key has them. */
function checkKind({ id, kind, key_start: start, ...record }: StoredRecord): RowFault[] {
  const isSession = kind === 'session';
  const faults: RowFault[] = [];
  const begins = isSession ? (record['opened_at_ms'] === null ? 'ts_code_' : 'ts_live_') : 'tk_';
  if (!textOf(start).startsWith(begins))
    faults.push({ found: `key_start ${show(start)}`, expected: `a text that begins with ${begins}` });
  if (textOf(id).startsWith('ses_') !== isSession)
    faults.push({ found: `kind ${show(kind)}`, expected: 'the kind that its id has' });
  for (const column of ['person', 'code_expires_at_ms'])
    if ((record[column] !== null) !== isSession)
      faults.push({
        found: `${column} ${show(record[column])}`,
        expected: isSession ? 'a value for a session' : 'null for a key',
      });
  return faults;
}

/** A key has scopes of its kind, and only an operator's key has a prefix. */
function checkRights({ account, scopes, account_prefix: prefix }: StoredRecord): RowFault[] {
  const kind = kindOfAccount(textOf(account));
  const faults: RowFault[] = [];
  if (typeof scopes === 'string' && scopesOfStored(scopes, kind).join(' ') !== scopes)
    faults.push({
      found: `scopes ${show(scopes)}`,
      expected: `scopes of the kind of the key, in their order`,
    });
  if (prefix !== null && kind === 'account')
    faults.push({ found: `account_prefix ${show(prefix)}`, expected: "null for an account's key" });
  return faults;
}

const idempotencyKeys = ({ reader, schema }: VerifyContext): TableRules => ({
  check: 'keys',
  count: 'idempotencyKeys',
  rules: [
    ['account', STORED_IDENTIFIER],
    ['key', storedText(255)],
    ['fingerprint', SHA256],
    ['reference', STORED_IDENTIFIER],
  ],
  place: ({ key }) => `idempotency key ${textOf(key)}`,
  account: ({ account }) => textOf(account),
  together: () => [],
  async compare({ account, key, reference }) {
    if (!(['transactions', 'accounts', 'archives'] as const).every((table) => schema.tables.has(table)))
      return [];
    const [owner, name] = [textOf(account), textOf(reference)];
    if (await reader.canHaveTransaction(owner, name)) return [];
    // The account can have been erased since.
    if (!(await reader.hasRecord('idempotency_keys', [owner, textOf(key)]))) return [];
    return [{ found: `reference ${show(name)}`, expected: 'the reference of a transaction of the account' }];
  },
});

const DAY_BEGINNING: StoredForm = {
  isValid: (value) => STORED_TIME.isValid(value) && Number(value) % DAY_MS === 0,
  expected: 'the beginning of a day',
};

const ARCHIVES: TableRules = {
  check: 'numbers',
  count: null,
  rules: [
    ['account', STORED_IDENTIFIER],
    ['before_ms', DAY_BEGINNING],
    ['floor_sequence', COUNT],
    ['floor_nonce', COUNT],
    ['floor_seal', storedMatch(SEAL_FORM, '64 hexadecimal digits')],
    ['rest', storedMatch(SEAL_FORM, '64 hexadecimal digits')],
    ['removed_changes', COUNT],
  ],
  place: () => 'archive',
  account: ({ account }) => textOf(account),
  together: ({ floor_sequence: floor, removed_changes: removed }) =>
    Number(removed) <= Number(floor)
      ? []
      : [{ found: `removed_changes ${removed}`, expected: `at most ${floor}, the floor` }],
};

const CURSOR_SECRETS: TableRules = {
  check: 'keys',
  count: null,
  rules: [
    ['only_row', storedInteger(1, 1, '1')],
    ['secret', storedMatch(CURSOR_SECRET, '32 bytes in base64url without padding')],
    ['created_at_ms', STORED_TIME],
  ],
  place: () => 'cursor secret',
  account: () => null,
  together: () => [],
};

const RECORDED_STATUSES: TableRules = {
  check: 'rows',
  count: null,
  rules: [['status', STORED_STATUS]],
  place: () => 'recorded statuses',
  account: () => null,
  together: () => [],
};

const EXPORTS: TableRules = {
  check: 'exports',
  count: 'exports',
  rules: [
    ['account', STORED_IDENTIFIER],
    ['id', storedMatch(/^exp_[0-9A-Za-z]{16}$/, 'exp_ and 16 letters and digits')],
    ['started_at_ms', STORED_TIME],
  ],
  place: ({ id }) => `export ${textOf(id)}`,
  account: ({ account }) => textOf(account),
  together: checkExport,
};

/** The names under which the record of an export repeats its columns. */
const REPEATED = { account: 'account', id: 'id', startedAtMs: 'started_at_ms' } as const;

function checkExport({ record, ...columns }: StoredRecord): RowFault[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(textOf(record));
  } catch {
    parsed = undefined;
  }
  if (typeof parsed !== 'object' || parsed === null)
    return [{ found: 'a record that is no JSON object', expected: 'a JSON object' }];
  const faults: RowFault[] = [];
  for (const [name, column] of Object.entries(REPEATED)) {
    const inRecord = (parsed as Record<string, unknown>)[name];
    if (inRecord !== columns[column])
      faults.push({ found: `${name} ${show(inRecord)} in the record`, expected: show(columns[column]) });
  }
  return faults;
}

/** Checks the small tables: keys, idempotency keys, the cursor secret, statuses, exports and webhooks. */
export async function checkRecords(context: VerifyContext, account: string | null): Promise<void> {
  const allRules: Record<RecordTable, TableRules> = {
    api_keys: API_KEYS,
    idempotency_keys: idempotencyKeys(context),
    archives: ARCHIVES,
    cursor_secret: CURSOR_SECRETS,
    recorded_statuses: RECORDED_STATUSES,
    exports: EXPORTS,
    key_audit: AUDIT,
    account_audit: AUDIT,
    ...webhookRules(context),
  };
  for (const [table, rules] of Object.entries(allRules) as [RecordTable, TableRules][])
    if (context.schema.tables.has(table))
      await isReadable(context, { account: null, place: `table ${table}` }, () =>
        checkTable(context, table, rules, account),
      );
}

async function checkTable(
  context: VerifyContext,
  table: RecordTable,
  rules: TableRules,
  account: string | null,
): Promise<void> {
  const { reader, verified } = context;
  for await (const records of readAllRecords(reader, table, account)) {
    for (const record of records) await checkRecord(context, rules, record);
    if (rules.count !== null) verified[rules.count] += records.length;
    context.onProgress();
  }
}

async function checkRecord(
  { report }: VerifyContext,
  rules: TableRules,
  record: StoredRecord,
): Promise<void> {
  const faults: RowFault[] = [];
  for (const [column, { isValid, expected }] of rules.rules) {
    const value = record[column];
    const found = SECRET_COLUMNS.includes(column) ? `${column} of another form` : `${column} ${show(value)}`;
    if (!isValid(value)) faults.push({ found, expected });
  }
  faults.push(...rules.together(record), ...((await rules.compare?.(record)) ?? []));
  for (const fault of faults)
    await report({
      check: rules.check,
      account: rules.account(record),
      place: rules.place(record),
      ...fault,
    });
}
