interface Reason {
  readonly detail: string;
  readonly cause: string;
  /** True for a limit that the service applies on purpose. The log then has no error. */
  readonly isLimit?: true;
}

const DATABASE = "The database can't answer now.";

/** The keys are the names of the reasons in metrics and logs. */
export const UNAVAILABLE = {
  overload: {
    detail: 'The service has more requests in flight than it can answer in time.',
    cause: 'load shedding: the event loop lags, or too many requests are in flight',
    isLimit: true,
  },
  deadline: {
    detail: 'The request was not answered in time.',
    cause: 'the request takes longer than `REQUEST_TIMEOUT`',
  },
  service_stopping: {
    detail: 'The service is stopping.',
    cause: 'the service is stopping',
    isLimit: true,
  },
  waiting_limit: {
    detail: 'Too many callers already wait for changes. Without wait, the request is answered at once.',
    cause: 'too many callers wait for changes',
    isLimit: true,
  },
  totals_limit: {
    detail: 'The service already computes as many large totals as it can.',
    cause:
      'too many requests at once for totals by day or month of a time zone, or for totals of a `merchantReference`',
    isLimit: true,
  },
  search_limit: {
    detail: 'The service already runs as many searches as it can.',
    cause: 'the process runs as many searches as it can',
    isLimit: true,
  },
  exports_limit: {
    detail: 'The service already runs as many exports as it can.',
    cause: 'the process runs as many exports as it can',
    isLimit: true,
  },
  tests_limit: {
    detail: 'The service already sends as many test webhooks as it can.',
    cause: 'the process tests as many endpoints as it can',
    isLimit: true,
  },
  account_erased: {
    detail: 'The account is being erased. It can be recorded into again when that is done.',
    cause: '`transactions erase` removes the account',
    isLimit: true,
  },
  moved: {
    detail:
      'The database of this instance accepts no new data. Either its data was moved to another database, or a copy into this one is not finished. "transactions reopen" lets a moved database record again.',
    cause: '`transactions copy` moved the data to another database, or copies it into this one',
  },
  endpoint_conflict: {
    detail: 'Other requests change the endpoint at the same time.',
    cause: 'other requests change the endpoint again and again',
  },
  database_connection: {
    detail: DATABASE,
    cause: 'PostgreSQL: no connection, or the connection was lost',
  },
  no_primary: { detail: DATABASE, cause: 'PostgreSQL: none of the hosts is a primary' },
  database_timeout: { detail: DATABASE, cause: 'the database did not answer in time' },
  database_queue: { detail: DATABASE, cause: 'PostgreSQL: too many queries or recordings wait' },
  slow_statements: {
    detail: DATABASE,
    cause: 'PostgreSQL: too many slow statements wait',
  },
  database_locked: {
    detail: DATABASE,
    cause: 'another transaction of the database holds the row or, on SQLite, the write lock',
  },
  database_error: {
    detail: DATABASE,
    cause:
      'the database reports another error. After wrong data, a broken rule, wrong SQL or a missing right, the response is 500 instead',
  },
  database_closed: { detail: DATABASE, cause: 'the store is closed, because the service stops' },
  history_replaced: {
    detail: 'The history of the account changed while the request was answered.',
    cause: 'a failover, restore, archive or erasure during the request',
  },
  file_moved: { detail: DATABASE, cause: 'SQLite: the open file was moved, removed or replaced' },
  thread_ended: { detail: DATABASE, cause: 'SQLite: a thread failed, for example the one that records' },
} as const satisfies Readonly<Record<string, Reason>>;

export type UnavailableReason = keyof typeof UNAVAILABLE;

/** The message and the cause are for the log, not for the caller. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  readonly reason: UnavailableReason;

  constructor(
    reason: UnavailableReason,
    message: string = UNAVAILABLE[reason].cause,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.reason = reason;
  }
}
