/*! transactions-client 0.1.0 | MIT License | Copyright (c) 2026 The transactions authors */
/** An amount as the service writes it. */
declare const AMOUNT: RegExp;
/**
 * An amount as an exact integer of hundredths, in every currency: "12.50" is 1250n, also in JPY.
 *
 * Throws: ArgumentError if the text is not an amount as the service writes it.
 */
declare function toMinorUnits(amount: string): bigint;
/** Hundredths as an amount, as the service writes it: 1250n is "12.50". */
declare function fromMinorUnits(minor: bigint): string;

/** An operator can add statuses, so a program must accept unknown ones. */
type TransactionStatus = 'pending' | 'completed' | (string & {});
/** A payment of the account that the API key belongs to. */
interface Transaction {
    /** Identifies the transaction within its account. */
    reference: string;
    /** The merchant's own text for the transaction, or null. */
    merchantReference: string | null;
    status: TransactionStatus;
    /** A decimal number with two decimals in every currency. `toMinorUnits` converts it to an exact integer. */
    amount: string;
    /** ISO 4217. */
    currencyCode: string;
    /** UTC with milliseconds; null while the transaction has not been paid. */
    paidAt: string | null;
    /** UTC with milliseconds. It never changes; the list is ordered by it. */
    createdAt: string;
}
/** Every field of a transaction and its type, in the order of the CSV columns. */
declare const TRANSACTION_FIELDS: {
    readonly reference: 'text';
    readonly merchantReference: 'text or null';
    readonly status: 'text';
    readonly amount: 'text';
    readonly currencyCode: 'text';
    readonly paidAt: 'text or null';
    readonly createdAt: 'text';
};
/** At most ten transactions, newest first, as the service sends them. */
interface TransactionPage {
    data: Transaction[];
    /** The `cursor` of the next page; null on the last page. */
    nextCursor: string | null;
    hasMore: boolean;
}
/** The conditions of a list. Days are UTC days of createdAt, written YYYY-MM-DD, both inclusive. */
interface ListFilters {
    status?: TransactionStatus | undefined;
    /** Three capital letters of ISO 4217. */
    currency?: string | undefined;
    /** The complete text, exactly as it was recorded. */
    merchantReference?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
}
interface PageQuery extends ListFilters {
    /** nextCursor of an earlier page. The same filters can be sent with it; a long merchantReference must be. */
    cursor?: string | undefined;
}

/** `transaction.` and the status that the transaction took. Each comes at most once for a transaction. */
type ChangeType = 'transaction.pending' | 'transaction.completed' | (string & {});
/** A transaction that was recorded for the first time, or a recorded one that took another status. */
interface Change {
    /** The number of the change within the account: 1, 2, 3 and so on, without a gap and without a repeat. */
    sequence: number;
    type: ChangeType;
    /** Null if the transaction is new. */
    previousStatus: TransactionStatus | null;
    /** UTC with milliseconds. */
    recordedAt: string;
    /** The transaction as it was right after the change. */
    transaction: Transaction;
}
/** Changes in the order of their numbers, as the service sends them. */
interface ChangePage {
    data: Change[];
    /** The `after` of the next page. */
    lastSequence: number;
    /** The largest number of the account. */
    headSequence: number;
    hasMore: boolean;
}
interface ChangeQuery {
    /** Changes with larger numbers are returned. Default: 0, all changes. */
    after?: number | undefined;
    /** The most changes in one response, from 1 to 1000. Default of the service: 100. */
    limit?: number | undefined;
    /** How many seconds the service waits for a change if there is none yet, from 0 to 30. Default of the service: 0. */
    wait?: number | undefined;
}

/** The changes of one response, in order. */
interface FeedPage {
    data: Change[];
    /** The largest number of the account when the service answered: how far the feed is behind. */
    headSequence: number;
}
/** The position of a feed as JSON: the `after` with which `client.changes.follow` continues it. */
interface SavedFeed {
    after: number;
}
/**
 * Every change of the account after a number, in order and each once; the feed has no end. It can be read once: a second
 * loop continues where the first one stopped, also after an error.
 */
declare class ChangeFeed implements AsyncIterable<Change> {
    #private;
    /** Created by `client.changes.follow`. */
    constructor(fetchPage: (after: number) => Promise<ChangePage>, after: number, signal: AbortSignal | undefined);
    /** The number of the last change that the feed returned, or the one after which it begins. */
    get after(): number;
    /** Each change. `after` is the number of the change that the loop is at. */
    [Symbol.asyncIterator](): AsyncGenerator<Change, void, undefined>;
    /** The changes of each response, for a copy that stores many changes in one transaction of its database. */
    pages(): AsyncGenerator<FeedPage, void, undefined>;
    /** The changes of the next response, or the rest of those that were partly read: at least one. */
    page(): Promise<FeedPage>;
    /** The position, for `client.changes.follow`. */
    toJSON(): SavedFeed;
}

/** The codes of the service and of this client. Others can be added, so a program must accept unknown codes. */
type ErrorCode = 'invalid_status' | 'invalid_currency' | 'invalid_merchant_reference' | 'invalid_date' | 'date_range_inverted' | 'date_range_too_long' | 'cursor_malformed' | 'cursor_expired' | 'cursor_filter_mismatch' | 'invalid_sequence' | 'invalid_limit' | 'invalid_wait' | 'invalid_by' | 'invalid_spreadsheet' | 'invalid_resume' | 'invalid_after' | 'export_mismatch' | 'sequence_ahead' | 'unknown_parameter' | 'duplicate_parameter' | 'invalid_request' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_scope' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'payload_too_large' | 'uri_too_long' | 'headers_too_large' | 'rate_limited' | 'too_many_exports' | 'internal_error' | 'export_failed' | 'unavailable' | 'connection_failed' | 'timed_out' | 'unexpected_response' | 'export_damaged' | 'webhook_not_verified' | 'invalid_argument' | (string & {});
/** What is wrong with one parameter of the query; `detail` says how to correct it. */
interface ParameterFault {
    parameter: string;
    code: ErrorCode;
    detail: string;
}
/** An error response, read from its problem document if it has one. */
interface Problem {
    status: number;
    code: ErrorCode;
    title: string;
    detail: string;
    /** The URL of a page that explains the code, or null. */
    helpUrl: string | null;
    requestId: string | null;
    faults: readonly ParameterFault[];
    /** Retry-After in milliseconds, or null. */
    retryAfterMs: number | null;
    /** With cursor_expired: the path and query that continue the list. */
    resume: string | null;
    /** With sequence_ahead: the largest number of the account. */
    headSequence: number | null;
}
/** Every error of this client. An aborted call rejects with the reason of its signal instead, as fetch does. */
declare abstract class TransactionsError extends Error {
    readonly code: ErrorCode;
    /** Identifies the request in the service's log; null if no request was sent. */
    readonly requestId: string | null;
    /** Whether the same call can succeed later. The client has already used its retries. */
    readonly retryable: boolean;
    constructor(code: ErrorCode, message: string, requestId: string | null, cause?: unknown);
}
/** The service refused the request, or failed to answer it. */
declare abstract class ProblemError extends TransactionsError {
    #private;
    readonly status: number;
    readonly title: string;
    readonly helpUrl: string | null;
    readonly retryAfterMs: number | null;
    constructor(problem: Problem);
    get detail(): string;
    get faults(): readonly ParameterFault[];
    /** JSON has no message, but every other field. */
    toJSON(): object;
}
/** 400 and other refusals: the request is wrong, and `faults` lists each wrong parameter. */
declare class InvalidRequestError extends ProblemError {
    readonly name: string;
}
/** 400 cursor_expired, for a cursor that the caller sent. A walk continues on its own. */
declare class CursorExpiredError extends InvalidRequestError {
    readonly name = "CursorExpiredError";
    /** The path and query of the same list from the UTC day of the last transaction seen. */
    readonly resume: string | null;
    constructor(problem: Problem);
}
/** 400 cursor_malformed: the cursor was altered, or belongs to another account. */
declare class CursorMalformedError extends InvalidRequestError {
    readonly name = "CursorMalformedError";
}
/**
 * 400 sequence_ahead: `after` is larger than the largest number of the account. The service was restored from a backup,
 * or the position belongs to another account: a copy has to begin again.
 */
declare class SequenceAheadError extends InvalidRequestError {
    readonly name = "SequenceAheadError";
    /** The largest number of the account; null if the response does not say it apart from its text. */
    readonly headSequence: number | null;
    constructor(problem: Problem);
}
/** 401: the API key is missing, unknown, revoked or expired. */
declare class AuthenticationError extends ProblemError {
    readonly name = "AuthenticationError";
}
/** 403: the key is valid, but lacks the scope that the message names. */
declare class PermissionDeniedError extends ProblemError {
    readonly name = "PermissionDeniedError";
}
/** 404: the account has no such transaction. */
declare class NotFoundError extends ProblemError {
    readonly name = "NotFoundError";
}
/** 429: the key exceeded its rate limit. */
declare class RateLimitedError extends ProblemError {
    readonly name = "RateLimitedError";
    readonly retryable = true;
}
/** 408 and 5xx: the service, or a proxy before it, could not answer. */
declare class ServiceError extends ProblemError {
    readonly name = "ServiceError";
    readonly retryable: boolean;
}
/**
 * The service could not be reached, or the connection was lost before the response was complete. The message names
 * the origin of the service and, if there is one, the platform's code for the cause.
 */
declare class ConnectionError extends TransactionsError {
    readonly name = "ConnectionError";
    readonly retryable = true;
    constructor(message: string, requestId: string, cause: unknown);
}
/** The response was not complete within the time limit. */
declare class TimeoutError extends TransactionsError {
    readonly name = "TimeoutError";
    readonly retryable = true;
    constructor(origin: string, timeoutMs: number, requestId: string);
}
/** The response did not come from this service: for instance, it is a proxy's page. Or a change is missing or repeated. */
declare class UnexpectedResponseError extends TransactionsError {
    readonly name = "UnexpectedResponseError";
    constructor(message: string, requestId: string | null);
}
/** What arrived is not what the service exported. The message says how the manifest differs. */
declare class ExportDamagedError extends TransactionsError {
    readonly name = "ExportDamagedError";
    constructor(differences: string, requestId: string | null);
}
/** A request to a receiver that must not be trusted: it is not a delivery of this service, or too old. The message says why. */
declare class WebhookVerificationError extends TransactionsError {
    readonly name = "WebhookVerificationError";
    constructor(message: string);
}
/** An argument of the call is wrong, and nothing was sent. */
declare class ArgumentError extends TransactionsError {
    readonly name = "ArgumentError";
    constructor(message: string);
}
/** An error of the class for its code or status. */
declare function problemError(problem: Problem): ProblemError;

/** A response with its complete body. */
interface HttpResponse {
    status: number;
    headers: {
        get(name: string): string | null;
    };
    text: string;
    requestId: string;
}
type Fields = Readonly<Record<string, unknown>>;
declare const isObject: (value: unknown) => value is Fields;
declare const isSequence: (value: unknown) => value is number;
/** Whether a value is a whole number from 0 that is exact. */
declare const isCount: (value: unknown) => value is number;
declare const isText: (value: unknown) => value is string;
declare function isJson({ headers }: HttpResponse): boolean;
/** The error of a response, with the texts of the service if the response has a problem document. */
declare function errorFrom(response: HttpResponse, url: string, nowMs: number): ProblemError;
/**
 * A page whose fields are all checked, because callers add up its amounts.
 *
 * Throws: UnexpectedResponseError
 */
declare function readPage(body: unknown, requestId: string): TransactionPage;
/** Throws: UnexpectedResponseError */
declare function readTransaction(body: unknown, requestId: string): Transaction;
declare function isTransaction(value: unknown): value is Transaction;

/** The part of a response that the client uses. */
interface FetchResponse {
    status: number;
    headers: {
        get(name: string): string | null;
    };
    text(): Promise<string>;
    /** Only exports need it. */
    body?: {
        getReader(): BodyReader;
    } | null | undefined;
}
interface BodyReader {
    read(): Promise<{
        done: boolean;
        value?: Uint8Array | undefined;
    }>;
    cancel(): Promise<void>;
}
/** The part of fetch that the client uses. */
type Fetch = (url: string, init: {
    method: 'GET';
    headers: Record<string, string>;
    signal: AbortSignal;
    redirect: 'manual';
    cache: 'no-store';
    credentials: 'omit';
}) => Promise<FetchResponse>;
interface RequestSettings {
    /** Without a slash at its end. */
    url: string;
    apiKey: string;
    fetch: Fetch;
    now: () => number;
    /** At least 0 and below 1. */
    random: () => number;
}
/** One attempt of a request. */
interface Request {
    requestId: string;
    /** Errors name only the origin: a path contains references, and a query filters. */
    origin: string;
    fetch(): Promise<FetchResponse>;
    /**
     * The result of a step of the request, if it comes within the time limit and before the signal is aborted.
     *
     * Throws: ConnectionError, TimeoutError, or the reason of the signal.
     */
    within<Result>(timeoutMs: number, step: () => Promise<Result>): Promise<Result>;
    /** Ends the request, and closes its connection if the response is not complete. */
    end(): void;
}
declare function beginRequest({ url, apiKey, fetch, random }: RequestSettings, path: string, type: string, signal: AbortSignal | undefined): Request;
declare function readText(response: FetchResponse, { requestId }: Request): Promise<HttpResponse>;
/** The error of a response whose status is not 200. */
declare function refusal(response: HttpResponse, { url, now }: RequestSettings): TransactionsError;
declare function connectionError(origin: string, reason: string | undefined, requestId: string, cause: unknown): ConnectionError;

interface RequestOptions {
    /** Ends the call, which rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
    /** The time limit of each attempt, its body included; the `wait` of a request for changes is added to it. */
    timeoutMs?: number | undefined;
}
/** Throws: TypeError for an unknown option. */
declare function checkRequestOptions(options: RequestOptions): void;
interface RetryLimits {
    maxRetries: number;
    maxRetryAfterMs: number;
    /** Without its random part, which can be as long. */
    maxPauseMs: number;
}
interface SendSettings extends RequestSettings {
    timeoutMs: number;
    callRetries: RetryLimits;
    /** Of a change feed, which has to outlast an outage. */
    feedRetries: RetryLimits;
    sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}
/**
 * Sends a GET request for a path, and returns the body of a 200 response. The time for which the service is asked to wait
 * is added to the time limit of each attempt.
 */
type Send = (path: string, options: RequestOptions, waitMs?: number, isFeed?: boolean) => Promise<{
    body: unknown;
    requestId: string;
}>;
/**
 * Returns a function that sends requests with retries. Requests only read, so all are safe to retry; those that can
 * succeed later are retried. The key stays inside this closure, where nothing prints it.
 */
declare function createSend(settings: SendSettings): Send;
/** The time limit of each attempt of a call. */
declare function timeLimitMs(settings: SendSettings, { timeoutMs }: RequestOptions): number;
/** Waits before a request is retried. Throws: the error, if a retry would not help or is one too many. */
declare function pauseAfter(error: unknown, retries: number, { maxRetries, maxRetryAfterMs, maxPauseMs }: RetryLimits, { sleep, random }: Pick<SendSettings, 'sleep' | 'random'>, signal: AbortSignal | undefined): Promise<void>;

type Timing = Pick<SendSettings, 'now' | 'sleep' | 'random'>;
/** The change feed of the account. */
declare class Changes {
    #private;
    constructor(send: Send, { now, sleep, random }: Timing);
    /**
     * Every change after a number, in order, without an end: where there is none yet, it waits for the next one. It sends no
     * request before it is read.
     *
     * It outlasts an outage: unless the client has `maxRetries`, it retries what can succeed later until the signal aborts.
     * The feed throws any other error, such as AuthenticationError, and the errors of `list`.
     */
    follow(query?: ChangeQuery, options?: RequestOptions): ChangeFeed;
    /**
     * One page as the service returns it.
     *
     * Throws: SequenceAheadError if `after` is larger than the largest number of the account; UnexpectedResponseError if a
     * change is missing or repeated.
     */
    list(query?: ChangeQuery, options?: RequestOptions): Promise<ChangePage>;
}

interface ClientOptions {
    /** The URL of the service, for example https://transactions.example. */
    url: string;
    apiKey: string;
    /**
     * The time limit of each attempt, its body included; the `wait` of a request for changes is added to it. Default: 10,000.
     */
    timeoutMs?: number | undefined;
    /**
     * How often a request that can succeed later is retried. Default: 5, which takes at least 11.5 seconds: longer than
     * an ordinary restart of the service. A feed of `changes.follow` is retried without a limit by default.
     */
    maxRetries?: number | undefined;
    /**
     * The longest Retry-After that the client waits for; a longer one is an error at once. Default: 60,000; for a feed of
     * `changes.follow`, a day.
     */
    maxRetryAfterMs?: number | undefined;
    /** Default: the fetch of the platform. */
    fetch?: Fetch | undefined;
    /** Milliseconds since 1970-01-01T00:00:00Z. Default: Date.now. */
    now?: (() => number) | undefined;
    /** Waits before a retry; rejects when the signal is aborted. Default: setTimeout. */
    sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
    /** At least 0 and below 1. Default: Math.random. */
    random?: (() => number) | undefined;
}
/**
 * The settings of requests, with the default of each option that is absent.
 *
 * Throws: ArgumentError, which never contains the key; TypeError for an unknown option.
 */
declare function sendSettings(options: ClientOptions): SendSettings;

/** What the API key of a client is for. */
interface Key {
    account: string;
    /** Identifies the key, for the operator. It is not a secret. */
    id: string;
    /** What the key can do: `read`, `webhooks`, and what later versions add. */
    scopes: string[];
    /** The time from which the key is refused, or null. */
    expiresAt: string | null;
}
declare function fetchKey(send: Send, options: RequestOptions): Promise<Key>;

/** The filters of a list except merchantReference; the range can have any length. */
interface TotalsQuery extends Omit<ListFilters, 'merchantReference'> {
    /** Gives each UTC day of createdAt totals of its own. */
    by?: 'day' | undefined;
}
/** The transactions of one currency and status. */
interface TotalsRow {
    /** The UTC day as YYYY-MM-DD; only with `by: 'day'`. */
    day?: string;
    currencyCode: string;
    status: TransactionStatus;
    count: number;
    /** The exact sum, written like the amount of a transaction. It can have more digits than a number can hold. */
    amount: string;
}
/** One row for each currency and status (and day) that has transactions, in the order of day, currency and status. */
interface Totals {
    data: TotalsRow[];
    /** The sequence number at which the totals hold: they contain the changes up to it. */
    asOf: number;
}
/** The totals of the account, whose fields are all checked. */
declare function fetchTotals(send: Send, query: TotalsQuery, options: RequestOptions): Promise<Totals>;
/** Whether a value is a row of totals whose amount can be converted. */
declare function isTotalsRow(value: unknown): value is TotalsRow;

type ExportFormat = 'csv' | 'ndjson';
/** The filters of a list, whose range can have any length, and the form of the file. */
interface ExportQuery extends ListFilters {
    format: ExportFormat;
    /** Only CSV: puts an apostrophe before each sign with which a spreadsheet could begin a formula. Default: false. */
    spreadsheet?: boolean | undefined;
}
/** One answer of an export, up to where the next one continued. */
interface ExportPart {
    /** The reference after which it begins; null if it begins with the first transaction. */
    after: string | null;
    rows: number;
    bytes: number;
    sha256: string;
}
/** What an export contains. */
interface ExportManifest {
    id: string;
    /** `running` until the service has sent everything; `failed` if that does not agree with the totals. */
    state: 'running' | 'complete' | 'failed';
    format: ExportFormat;
    /** Only CSV. */
    spreadsheet?: boolean;
    filters: ListFilters;
    /** The sequence number as of which transactions are shown. */
    asOf: number;
    /** Transactions; null until the export is complete, as are bytes, sha256 and finishedAt. */
    rows: number | null;
    /** Of the file: without the manifest line of NDJSON, and without compression. */
    bytes: number | null;
    /** Of the same bytes, in lower-case hexadecimal. */
    sha256: string | null;
    /** What the transactions add up to, for each currency and status; also known while the export runs. */
    totals: TotalsRow[];
    parts: ExportPart[];
    startedAt: string;
    finishedAt: string | null;
}
/**
 * The manifest of an export, whose fields are all checked.
 *
 * Throws: NotFoundError if the account has no such export; the service keeps them for 24 hours.
 */
declare function fetchManifest(send: Send, id: string, options: RequestOptions): Promise<ExportManifest>;
/** Throws: UnexpectedResponseError */
declare function readManifest(body: unknown, requestId: string): ExportManifest;
/** How many transactions the export has, also while it runs. */
declare const expectedRows: ({ totals }: ExportManifest) => number;
/** A row of NDJSON whose fields are all checked. Throws: UnexpectedResponseError */
declare function readRow(line: string): Transaction;
/** The value of a line of NDJSON; undefined if the line is not JSON. */
declare function parseLine(line: string): unknown;

/** What the loop over an export returns. */
interface ExportItems<Item> {
    /** The items of the next whole rows. */
    read(rows: Uint8Array): Item[];
    /** Throws: ExportDamagedError if all items together differ from the manifest. */
    verify(manifest: ExportManifest): void;
}
/** The rows themselves, for a file. */
declare const FILE_ITEMS: ExportItems<Uint8Array>;
/**
 * All transactions that match, in the order of a list and as they were when the export began. The loop takes up an export that was
 * cut, and ends without an error only if all bytes agree with the manifest. It can be read once: a second loop continues
 * where the first one stopped, also after an error.
 */
declare class Export<Item> implements AsyncIterable<Item> {
    #private;
    /** Created by `client.transactions.export` and `client.transactions.exportFile`. */
    constructor(settings: SendSettings, { spreadsheet, ...given }: ExportQuery, options: RequestOptions, items: ExportItems<Item>);
    /** The id of the export; null until the service has answered, as is asOf. */
    get id(): string | null;
    /** The sequence number as of which transactions are shown. */
    get asOf(): number | null;
    /** How many transactions have arrived. */
    get rows(): number;
    /** How many transactions there are; null until it is known. */
    get expectedRows(): number | null;
    /** Null until the loop has ended without an error. */
    get manifest(): ExportManifest | null;
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
}

/** Where a page starts: at the newest transaction of the day `to`, or after a cursor. */
interface PageStart {
    to: string | null;
    cursor: string | null;
}
/** A place in the list, which is ordered by createdAt, then reference, both descending. */
type Position = Pick<Transaction, 'createdAt' | 'reference'>;
/** The state of a walk as JSON, without the key. Store it to continue the walk in another process. */
interface SavedWalk {
    version: 1;
    filters: ListFilters;
    /** The last transaction that the walk returned. */
    last: Position | null;
    /** Null if the walk is finished. */
    next: PageStart | null;
}
interface WalkPage {
    data: Transaction[];
    /** False on the last page. */
    hasMore: boolean;
}
type FetchPage = (query: PageQuery, options: RequestOptions) => Promise<TransactionPage>;
/**
 * All transactions that match the filters, newest first, each once. The walk continues after expired cursors, and
 * over ranges longer than one list. It can be read once; a second loop continues where the first one stopped.
 */
declare class TransactionWalk implements AsyncIterable<Transaction> {
    #private;
    /** Created by `client.transactions.list` and `client.transactions.resume`. */
    constructor(fetchPage: FetchPage, { filters, last, next }: SavedWalk, options: RequestOptions);
    /** Each transaction. `toJSON` continues after the transaction that the loop is at. */
    [Symbol.asyncIterator](): AsyncGenerator<Transaction, void, undefined>;
    /** Each page that is not empty. */
    pages(): AsyncGenerator<WalkPage, void, undefined>;
    /**
     * The next page, or the rest of a page that was partly read. It is empty if nothing is left. In a long range,
     * `hasMore` is true until the last part of the range is read.
     */
    page(): Promise<WalkPage>;
    /** The state of this walk, for `client.transactions.resume`. */
    toJSON(): SavedWalk;
}

/** The transactions of the account. */
declare class Transactions {
    #private;
    constructor(settings: SendSettings);
    /** A walk over all transactions that match the filters, newest first. It sends no request before it is read. */
    list(filters?: ListFilters, options?: RequestOptions): TransactionWalk;
    /** Continues a saved walk after the last transaction that it returned. */
    resume(saved: SavedWalk, options?: RequestOptions): TransactionWalk;
    /** One page, exactly as the service returns it: for callers that store cursors themselves. */
    page(query?: PageQuery, options?: RequestOptions): Promise<TransactionPage>;
    /**
     * One transaction by its reference.
     *
     * Throws: NotFoundError if the account has no such transaction.
     */
    retrieve(reference: string, options?: RequestOptions): Promise<Transaction>;
    /**
     * The changes of one transaction, oldest first: its one or two places in the change feed.
     *
     * Throws: NotFoundError if the account has no such transaction.
     */
    changes(reference: string, options?: RequestOptions): Promise<Change[]>;
    /**
     * All transactions that match, in one answer, as they are when it begins: newest first. The filters are those of a list, and the
     * range can have any length. It sends no request before it is read.
     */
    export(filters?: ListFilters, options?: RequestOptions): Export<Transaction>;
    /** The same as the bytes of a file, in pieces of whole rows. */
    exportFile(query: ExportQuery, options?: RequestOptions): Export<Uint8Array>;
    /**
     * What an export contains, by its id.
     *
     * Throws: NotFoundError if the account has no such export; the service keeps them for 24 hours.
     */
    exportManifest(id: string, options?: RequestOptions): Promise<ExportManifest>;
}

/** A client for the account of its API key. */
declare class TransactionsClient {
    #private;
    readonly url: string;
    readonly transactions: Transactions;
    readonly changes: Changes;
    /** Throws: ArgumentError, which never contains the key; TypeError for an unknown option. */
    constructor(options: ClientOptions);
    /** What the API key is for: its account, its scopes and its end. Every key of an account can retrieve it. */
    key(options?: RequestOptions): Promise<Key>;
    /**
     * How many transactions match, and what they add up to, for each currency and status; with `by: 'day'` also for each UTC day.
     *
     * Throws: ServiceError while the service cannot count all transactions of the account.
     */
    totals(query?: TotalsQuery, options?: RequestOptions): Promise<Totals>;
}

declare const DAY_MS = 86400000;
/**
 * The instant of a createdAt or paidAt.
 *
 * Throws: ArgumentError if the text is not a timestamp as the service writes it.
 */
declare function toDate(timestamp: string): Date;
/**
 * The UTC day of an instant as YYYY-MM-DD, which the filters `from` and `to` take.
 *
 * Throws: ArgumentError if the date is invalid or outside the years 1 to 9999.
 */
declare function utcDay(date: Date): string;
/** The start of a day written YYYY-MM-DD in milliseconds, or undefined if the calendar has no such day. */
declare function startOfDayMs(day: string): number | undefined;

/** A delivery of a webhook: a change, or the event that tests an endpoint. */
interface WebhookEvent {
    /** The same for every delivery of a change. A receiver that stores it handles each change once. */
    id: string;
    /** `webhook.test`, or that of the change. */
    type: ChangeType | 'webhook.test';
    /** When the change was recorded, or the test sent: UTC with milliseconds. */
    timestamp: string;
    /** The change; null unless the type begins with `transaction.`. */
    data: Change | null;
}
/** The headers of a request: of fetch, of node:http, or an object with names in any case. */
type WebhookHeaders = {
    get(name: string): string | null | undefined;
} | {
    readonly [name: string]: string | readonly string[] | undefined;
};
interface VerifyOptions {
    /** The current time in milliseconds since 1970. Default: Date.now. */
    now?: () => number;
}
/**
 * The event of a request to a receiver, if it was signed with one of the secrets within five minutes of now.
 *
 * `body` is the body as it was received: text or bytes, not parsed.
 *
 * Throws: WebhookVerificationError for a request that must not be trusted; ArgumentError if the body or a secret can't be right.
 */
declare function verifyWebhook(body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secrets: string | readonly string[], { now }?: VerifyOptions): WebhookEvent;

export {
  fromMinorUnits,
  toMinorUnits,
  type Change,
  type ChangePage,
  type ChangeQuery,
  type ChangeType,
  type ChangeFeed,
  type FeedPage,
  type SavedFeed,
  type Changes,
  TransactionsClient,
  type ClientOptions,
  ArgumentError,
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  CursorMalformedError,
  type ErrorCode,
  ExportDamagedError,
  InvalidRequestError,
  NotFoundError,
  type ParameterFault,
  PermissionDeniedError,
  ProblemError,
  RateLimitedError,
  SequenceAheadError,
  ServiceError,
  TimeoutError,
  TransactionsError,
  UnexpectedResponseError,
  WebhookVerificationError,
  type Export,
  type ExportFormat,
  type ExportManifest,
  type ExportPart,
  type ExportQuery,
  type Key,
  type Fetch,
  type RequestOptions,
  toDate,
  utcDay,
  type Totals,
  type TotalsQuery,
  type TotalsRow,
  type ListFilters,
  type PageQuery,
  type Transaction,
  type TransactionPage,
  type TransactionStatus,
  type Transactions,
  type SavedWalk,
  type TransactionWalk,
  type WalkPage,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
};
