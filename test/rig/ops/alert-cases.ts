/** The values of each series, one a minute, in promtool's notation: `1x3` means 1 and three more 1. */
type Series = Readonly<Record<string, string>>;

interface AlertCase {
  fires: Series;
  quiet: Series;
  /** Default: 15. */
  afterMinutes?: number;
  labels?: Readonly<Record<string, string>>;
}

const DISK = 'device="/dev/sda1",fstype="ext4",instance="a"';
const BACKUP =
  'node_textfile_mtime_seconds{job="transactions-machine",file="/var/lib/node_exporter/backup-of-transactions.prom"}';
const KEY_EXPIRES = 'transactions_operator_key_expires_timestamp_seconds{instance="a",id="key_1"}';
const disk = (available: number, job = 'transactions-machine'): Series => ({
  [`node_filesystem_avail_bytes{${DISK},job="${job}"}`]: `${available}x30`,
  [`node_filesystem_size_bytes{${DISK},job="${job}"}`]: '100x30',
});

const grows = (selector: string, eachMinute: number, minutes = 30): Series => ({
  [`${selector.slice(0, -1)}${selector.endsWith('{}') ? '' : ','}instance="a"}`]: `0+${eachMinute}x${minutes}`,
});
const once = (selector: string): Series => ({
  [`${selector.slice(0, -1)}${selector.endsWith('{}') ? '' : ','}instance="a"}`]: '0x10 1x20',
});
const is = (selector: string, value: number): Series => ({ [selector]: `${value}x90` });
const slow = (requests: number, fast: number): Series => ({
  'transactions_http_request_duration_seconds_bucket{listener="public",instance="a",le="0.5"}': `0+${fast}x30`,
  'transactions_http_request_duration_seconds_bucket{listener="public",instance="a",le="1"}': `0+${requests}x30`,
  'transactions_http_request_duration_seconds_bucket{listener="public",instance="a",le="+Inf"}': `0+${requests}x30`,
});

type Rest = Omit<AlertCase, 'fires' | 'quiet'>;

const atLevel = (selector: string, fires: number, quiet: number, rest: Rest = {}): AlertCase => ({
  fires: is(selector, fires),
  quiet: is(selector, quiet),
  ...rest,
});
const atRate = (selector: string, fires: number, quiet: number, rest: Rest = {}): AlertCase => ({
  fires: grows(selector, fires, rest.afterMinutes),
  quiet: grows(selector, quiet, rest.afterMinutes),
  ...rest,
});
const atFirst = (selector: string, fires: string, quiet: string): AlertCase => ({
  fires: once(selector.replace('$', fires)),
  quiet: once(selector.replace('$', quiet)),
});
const PROBLEMS = 'transactions_http_problems_total{listener="public",code="$"}';

export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  TransactionsGone: atLevel('up{job="transactions",instance="a"}', 0, 1, {
    labels: { job: 'transactions', instance: 'a' },
  }),
  TransactionsDiskFull: {
    fires: disk(9),
    quiet: { ...disk(11), ...disk(9, 'other') },
    labels: { device: '/dev/sda1', fstype: 'ext4', instance: 'a', job: 'transactions-machine' },
  },
  TransactionsBackupMissed: atLevel(BACKUP, -36 * 3600, -35 * 3600, { labels: {} }),
  TransactionsOperatorKeyExpires: atLevel(KEY_EXPIRES, 6 * 86_400, 8 * 86_400, {
    labels: { instance: 'a', id: 'key_1' },
  }),
  TransactionsHistoryChanged: atFirst(PROBLEMS, 'history_changed', 'not_found'),
  TransactionsUnavailable: atRate('transactions_http_request_duration_seconds_count{status="503"}', 10, 5),
  TransactionsFailing: atFirst(PROBLEMS, 'internal_error', 'unavailable'),
  TransactionsBatchFails: atFirst('transactions_recorded_total{outcome="$"}', 'unavailable', 'invalid'),
  TransactionsLostEnds: {
    fires: once('transactions_lost_ends_total{}'),
    quiet: is('transactions_lost_ends_total{instance="a"}', 1),
  },
  TransactionsLostRecordings: {
    fires: once('transactions_lost_recordings_total{}'),
    quiet: is('transactions_lost_recordings_total{instance="a"}', 1),
  },
  TransactionsSlow: { fires: slow(1000, 985), quiet: slow(1000, 995) },
  TransactionsOverloaded: atRate('transactions_unavailable_total{reason="overload"}', 70, 50),
  TransactionsConflicts: {
    fires: grows('transactions_recorded_total{outcome="conflict"}', 1),
    quiet: once('transactions_recorded_total{outcome="conflict"}'),
    afterMinutes: 30,
  },
  TransactionsGuessing: atRate(PROBLEMS.replace('$', 'invalid_api_key'), 3100, 2900),
  TransactionsEventLoopBlocked: {
    fires: is('nodejs_eventloop_lag_p99_seconds{instance="a",job="transactions"}', 0.3),
    quiet: {
      ...is('nodejs_eventloop_lag_p99_seconds{instance="a",job="transactions"}', 0.1),
      ...is('nodejs_eventloop_lag_p99_seconds{instance="a",job="other"}', 0.3),
    },
    labels: { instance: 'a', job: 'transactions' },
  },
  TransactionsClockWrong: atLevel('transactions_clock_offset_seconds{instance="a"}', -7200, 5),
  TransactionsReplicaUnused: atLevel(
    'transactions_replica_used{instance="a",replica="postgres://db2/payments"}',
    0,
    1,
    { labels: { instance: 'a', replica: 'postgres://db2/payments' } },
  ),
  TransactionsStandbyBehind: {
    fires: is('transactions_standby_behind_bytes{instance="a",standby="db2"}', 16_777_217),
    quiet: { 'transactions_standby_behind_bytes{instance="a",standby="db2"}': '16777217x5 0x60' },
    labels: { standby: 'db2' },
  },
  TransactionsArchiveFails: atLevel('transactions_archive_failing{instance="a"}', 1, 0, { labels: {} }),
  TransactionsSlotKeepsLog: atLevel(
    'transactions_idle_slot_kept_bytes{instance="a",slot="db3"}',
    1.1e9,
    9e8,
    {
      labels: { slot: 'db3' },
    },
  ),
  TransactionsDatabaseDisconnected: {
    fires: is('transactions_database_connections_open{purpose="requests",instance="a"}', 0),
    quiet: is('transactions_database_connections_open{purpose="slow lists",instance="a"}', 0),
    labels: { instance: 'a', purpose: 'requests' },
  },
  TransactionsDatabaseQueue: atLevel(
    'transactions_database_queries_in_flight{purpose="requests",instance="a"}',
    201,
    200,
  ),
  TransactionsSealingFails: {
    fires: grows('transactions_sealing_failures_total{}', 1),
    quiet: once('transactions_sealing_failures_total{}'),
    afterMinutes: 30,
  },
  TransactionsUnsealed: {
    fires: {
      ...is('transactions_unsealed_changes{instance="a"}', 5),
      ...is('transactions_sealed_changes_total{instance="a"}', 9),
    },
    quiet: {
      ...is('transactions_unsealed_changes{instance="a"}', 5),
      ...grows('transactions_sealed_changes_total{}', 1),
    },
    afterMinutes: 30,
  },
  TransactionsCursorsMalformed: atRate('transactions_cursors_refused_total{reason="malformed"}', 310, 290, {
    afterMinutes: 30,
  }),
  TransactionsCursorsExpired: atRate('transactions_cursors_refused_total{reason="expired"}', 70, 50, {
    afterMinutes: 180,
  }),
  TransactionsExportsDiffer: atFirst('transactions_exports_total{outcome="$"}', 'differs', 'closed'),
  TransactionsWebhooksLate: atLevel('transactions_webhook_lag_seconds{instance="a"}', 301, 299, {
    labels: {},
  }),
  TransactionsWebhooksPaused: {
    fires: is('transactions_webhook_endpoints_paused{instance="a"}', 1),
    quiet: { 'transactions_webhook_endpoints_paused{instance="a"}': '1x40 0x60' },
    afterMinutes: 80,
    labels: {},
  },
  TransactionsWebhooksBehind: atLevel('transactions_webhook_lag_changes{instance="a"}', 100_001, 100_000, {
    labels: {},
  }),
  TransactionsWebhooksOff: {
    fires: is('transactions_webhook_delivering{instance="a"}', 0),
    quiet: {
      ...is('transactions_webhook_delivering{instance="a"}', 0),
      ...is('transactions_webhook_delivering{instance="b"}', 1),
    },
    labels: {},
  },
  TransactionsWebhookRulesDiffer: {
    fires: is('transactions_webhook_other_rules{instance="a"}', 1),
    quiet: { 'transactions_webhook_other_rules{instance="a"}': '1x29 0x60' },
    afterMinutes: 35,
    labels: {},
  },
  TransactionsWebhookFailures: {
    fires: grows('transactions_webhook_attempts_total{outcome="refused"}', 10),
    quiet: grows('transactions_webhook_attempts_total{outcome="unavailable"}', 10),
    labels: {},
  },
  TransactionsWebhookFailuresKept: atLevel('transactions_webhook_failures{instance="a"}', 101, 100, {
    afterMinutes: 80,
    labels: {},
  }),
  TransactionsWebhookDisabled: {
    fires: once('transactions_webhook_endpoints_disabled_total{reason="gone"}'),
    quiet: is('transactions_webhook_endpoints_disabled_total{reason="gone",instance="a"}', 1),
    labels: { reason: 'gone' },
  },
  TransactionsStaffSignIn: {
    fires: grows('transactions_staff_sign_ins_total{outcome="provider_unavailable"}', 1),
    quiet: grows('transactions_staff_sign_ins_total{outcome="no_role"}', 1),
    labels: {},
  },
};
