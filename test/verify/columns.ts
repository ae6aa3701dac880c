/** An account with an archive, whose changes are sealed. */
export const ACCOUNT = 'store-3';

/** What notices another possible value of a column. */
export type NoticedBy = 'verify' | 'the database' | 'nothing';

interface TableDamage {
  /** One row. */
  where: string;
  /** Another possible value of each column, as SQL; $ is the column. */
  columns: Readonly<Partial<Record<NoticedBy, Readonly<Record<string, string>>>>>;
}

const text = (value: string) => `'${value}'`;
const named = (value: string, ...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, value]));
const LATER = '$ + 1';
const HEX = text('b'.repeat(64));
const LAST_BLOCK = `(SELECT max(sequence) FROM seal_blocks WHERE account = ${text(ACCOUNT)})`;
const OF_AUDIT = {
  ...named(LATER, 'at_ms'),
  id: text(`au_${'A'.repeat(16)}`),
  ...named(text('other'), 'subject', 'actor', 'address'),
  via: text('service'),
};

/**
 * The columns of all tables but those of test/store/account-columns.test.ts, and of those that `verify` compares with the program itself
 * (copy_state, schema_migrations). docs/auditing.md says what nothing notices.
 */
export const COLUMNS: Readonly<Record<string, TableDamage>> = {
  transactions: {
    where: `account = ${text(ACCOUNT)} AND pending_sequence IS NOT NULL AND final_sequence = (SELECT max(final_sequence) FROM transactions WHERE account = ${text(ACCOUNT)} AND pending_sequence IS NOT NULL)`,
    columns: {
      verify: {
        ...named(text('other'), 'account', 'reference', 'merchant_reference', 'related_to'),
        ...named(LATER, 'created_at_ms', 'amount_minor', 'paid_at_ms'),
        ...named(LATER, 'pending_recorded_at_ms', 'pending_nonce', 'final_recorded_at_ms', 'final_nonce'),
        ...named('$ + 500', 'final_sequence'),
        ...named('final_sequence - 1', 'pending_sequence'),
        status: text('refunded'),
        currency_code: text('CHF'),
      },
      nothing: { ...named(text('{"a":"b"}'), 'details', 'final_details'), details_removed_at_ms: '1' },
    },
  },
  recorded_statuses: {
    where: `status = 'refunded'`,
    columns: { verify: { status: text('other') } },
  },
  seals: {
    where: `account = ${text(ACCOUNT)}`,
    columns: {
      verify: {
        ...named(LATER, 'sequence', 'nonce'),
        account: text('other'),
        seal: HEX,
        digests: "'AAAAAAAA' || substr($, 9)",
      },
    },
  },
  seal_blocks: {
    where: `account = ${text(ACCOUNT)} AND sequence = ${LAST_BLOCK}`,
    columns: {
      verify: {
        account: text('other'),
        sequence: '$ + 64',
        seal: HEX,
        digests: "'AAAAAAAA' || substr($, 9)",
      },
    },
  },
  daily_totals: {
    where: `account = 'store-1' AND day = 20553`,
    columns: {
      verify: {
        ...named(LATER, 'day', 'count', 'amount', 'amount_high', 'amount_low'),
        account: text('store-2'),
        currency_code: text('USD'),
        status: text('pending'),
      },
    },
  },
  idempotency_keys: {
    where: `key = 'key 1'`,
    columns: {
      verify: { account: text('store-1'), reference: text('other') },
      nothing: { key: text('key 2'), fingerprint: HEX },
    },
  },
  api_keys: {
    where: `account = 'store-1'`,
    columns: {
      'the database': {
        kind: text('session'),
        ...named(text('store-1'), 'account_prefix', 'person', 'reason', 'made_by'),
        ...named('1', 'code_expires_at_ms', 'opened_at_ms'),
      },
      nothing: {
        account: text('store-2'),
        id: text(`key_${'A'.repeat(16)}`),
        hash: HEX,
        key_start: text('tk_live_AAAAAA'),
        label: text('other'),
        scopes: text('webhooks'),
        ...named('1', 'expires_at_ms', 'rolled_at_ms', 'expires_before_roll_ms', 'last_used_at_ms'),
        ...named(LATER, 'created_at_ms', 'revoked_at_ms', 'end_recorded_at_ms'),
      },
    },
  },
  cursor_secret: {
    where: 'only_row = 1',
    columns: {
      'the database': { only_row: '2' },
      nothing: { secret: text('A'.repeat(43)), created_at_ms: LATER },
    },
  },
  exports: {
    where: `account = 'store-1'`,
    columns: {
      verify: {
        account: text('store-2'),
        id: text(`exp_${'A'.repeat(16)}`),
        started_at_ms: LATER,
      },
      nothing: { record: `replace($, '"csv"', '"ndjson"')` },
    },
  },
  webhook_endpoints: {
    where: `account = 'store-1'`,
    columns: {
      verify: { account: text('store-2x'), id: text(`we_${'A'.repeat(16)}`) },
      'the database': { disabled_reason: text('gone'), disabled_at_ms: '1' },
      nothing: {
        url: text('https://example.org/'),
        types: 'NULL',
        label: text('other'),
        ordered: '1 - $',
        ...named(text(`whsec_${'B'.repeat(44)}`), 'secret', 'previous_secret'),
        ...named(LATER, 'previous_secret_until_ms', 'created_at_ms', 'version'),
        replay_version: 'version',
        acknowledged_sequence: '$ - 1',
        failing_since_ms: '1',
        quick: '1',
      },
    },
  },
  watched_accounts: {
    where: `account = 'store-1'`,
    columns: {
      nothing: { account: text('other'), moved: "CAST('1' AS TYPE)" },
    },
  },
  webhook_failures: {
    where: `account = 'store-1' AND sequence = 5`,
    columns: {
      verify: { account: text('store-2'), endpoint_id: text(`we_${'A'.repeat(16)}`) },
      nothing: {
        ...named(LATER, 'sequence', 'attempts', 'first_failed_at_ms', 'last_failed_at_ms'),
        next_attempt_at_ms: '1',
        response_status: '404',
        error: text('other'),
      },
    },
  },
  webhook_lease: {
    where: 'only_row = 1',
    columns: {
      'the database': { only_row: '2' },
      nothing: { ...named(text('other'), 'instance', 'rules'), expires_at_ms: LATER },
    },
  },
  instances: {
    where: `instance = 'one'`,
    columns: {
      nothing: {
        ...named(text('other'), 'instance', 'host', 'version'),
        settings: text('{}'),
        ...named(LATER, 'started_at_ms', 'seen_at_ms'),
      },
    },
  },
  key_audit: {
    where: 'id = (SELECT min(id) FROM key_audit)',
    columns: {
      nothing: { ...OF_AUDIT, account: text('store-9'), action: text('key.rolled'), detail: text('{"a":1}') },
    },
  },
  account_audit: {
    where: `account = ${text(ACCOUNT)}`,
    columns: {
      verify: {
        account: text('store-9'),
        action: text('account.erased'),
        detail: text('{"a":1}'),
      },
      'the database': { subject: text('other') },
      nothing: {
        at_ms: LATER,
        id: OF_AUDIT.id,
        via: OF_AUDIT.via,
        ...named(text('other'), 'actor', 'address'),
      },
    },
  },
};
