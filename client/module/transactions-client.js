/*! transactions-client 0.1.0 | MIT License | Copyright (c) 2026 The transactions authors */
// errors
const { TransactionsError, ProblemError, InvalidRequestError, CursorExpiredError, CursorMalformedError, SequenceAheadError, AuthenticationError, PermissionDeniedError, NotFoundError, RateLimitedError, ServiceError, ConnectionError, TimeoutError, UnexpectedResponseError, ExportDamagedError, WebhookVerificationError, ArgumentError, problemError } = (() => {
class TransactionsError extends Error {
    code;
    requestId;
    retryable = false;
    constructor(code, message, requestId, cause) {
        super(message, cause === undefined ? undefined : { cause });
        this.code = code;
        this.requestId = requestId;
    }
}
class ProblemError extends TransactionsError {
    #texts;
    status;
    title;
    helpUrl;
    retryAfterMs;
    constructor(problem) {
        const { status, code, title, detail, helpUrl, requestId, faults, retryAfterMs } = problem;
        const details = [
            detail,
            ...(faults.length > 1 ? faults.map((fault) => `${fault.parameter}: ${fault.detail}`) : []),
        ];
        super(code, `${details.join(' ')} (${code}${requestId === null ? '' : `, request ${requestId}`})`, requestId);
        this.status = status;
        this.title = title;
        this.helpUrl = helpUrl;
        this.retryAfterMs = retryAfterMs;
        this.#texts = { detail, faults };
    }
    get detail() {
        return this.#texts.detail;
    }
    get faults() {
        return this.#texts.faults;
    }
    toJSON() {
        return { ...this, ...this.#texts };
    }
}
class InvalidRequestError extends ProblemError {
    name = 'InvalidRequestError';
}
class CursorExpiredError extends InvalidRequestError {
    name = 'CursorExpiredError';
    resume;
    constructor(problem) {
        super(problem);
        this.resume = problem.resume;
    }
}
class CursorMalformedError extends InvalidRequestError {
    name = 'CursorMalformedError';
}
class SequenceAheadError extends InvalidRequestError {
    name = 'SequenceAheadError';
    headSequence;
    constructor(problem) {
        super(problem);
        this.headSequence = problem.headSequence;
    }
}
class AuthenticationError extends ProblemError {
    name = 'AuthenticationError';
}
class PermissionDeniedError extends ProblemError {
    name = 'PermissionDeniedError';
}
class NotFoundError extends ProblemError {
    name = 'NotFoundError';
}
class RateLimitedError extends ProblemError {
    name = 'RateLimitedError';
    retryable = true;
}
class ServiceError extends ProblemError {
    name = 'ServiceError';
    retryable = this.status !== 501 && this.status !== 505 && this.code !== 'export_failed';
}
class ConnectionError extends TransactionsError {
    name = 'ConnectionError';
    retryable = true;
    constructor(message, requestId, cause) {
        super('connection_failed', message, requestId, cause);
    }
}
class TimeoutError extends TransactionsError {
    name = 'TimeoutError';
    retryable = true;
    constructor(origin, timeoutMs, requestId) {
        super('timed_out', `${origin} did not answer within ${timeoutMs} ms (request ${requestId}).`, requestId);
    }
}
class UnexpectedResponseError extends TransactionsError {
    name = 'UnexpectedResponseError';
    constructor(message, requestId) {
        super('unexpected_response', message, requestId);
    }
}
class ExportDamagedError extends TransactionsError {
    name = 'ExportDamagedError';
    constructor(differences, requestId) {
        super('export_damaged', `The export differs from its manifest: ${differences}.`, requestId);
    }
}
class WebhookVerificationError extends TransactionsError {
    name = 'WebhookVerificationError';
    constructor(message) {
        super('webhook_not_verified', message, null);
    }
}
class ArgumentError extends TransactionsError {
    name = 'ArgumentError';
    constructor(message) {
        super('invalid_argument', message, null);
    }
}
function problemError(problem) {
    const { status, code } = problem;
    if (code === 'cursor_expired')
        return new CursorExpiredError(problem);
    if (code === 'cursor_malformed')
        return new CursorMalformedError(problem);
    if (code === 'sequence_ahead')
        return new SequenceAheadError(problem);
    if (status === 401)
        return new AuthenticationError(problem);
    if (status === 403)
        return new PermissionDeniedError(problem);
    if (status === 404)
        return new NotFoundError(problem);
    if (status === 429)
        return new RateLimitedError(problem);
    if (status === 408 || status >= 500)
        return new ServiceError(problem);
    return new InvalidRequestError(problem);
}
return { TransactionsError, ProblemError, InvalidRequestError, CursorExpiredError, CursorMalformedError, SequenceAheadError, AuthenticationError, PermissionDeniedError, NotFoundError, RateLimitedError, ServiceError, ConnectionError, TimeoutError, UnexpectedResponseError, ExportDamagedError, WebhookVerificationError, ArgumentError, problemError };
})();

// amount
const { AMOUNT, toMinorUnits, fromMinorUnits } = (() => {
const AMOUNT = /^(-?)(\d+)\.(\d{2})$/;
function toMinorUnits(amount) {
    const [, sign, whole = '', decimals = ''] = AMOUNT.exec(amount) ?? [];
    if (sign === undefined)
        throw new ArgumentError('The amount is not a decimal number with two decimals.');
    const minor = BigInt(whole + decimals);
    return sign === '' ? minor : -minor;
}
function fromMinorUnits(minor) {
    const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
    return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
return { AMOUNT, toMinorUnits, fromMinorUnits };
})();

// change-feed
const { ChangeFeed } = (() => {
class ChangeFeed {
    #fetchPage;
    #signal;
    #after;
    #buffer = [];
    #headSequence = 0;
    #isReading = false;
    constructor(fetchPage, after, signal) {
        this.#fetchPage = fetchPage;
        this.#after = after;
        this.#signal = signal;
    }
    get after() {
        return this.#after;
    }
    async *[Symbol.asyncIterator]() {
        for (;;) {
            yield await this.#take(() => {
                const change = this.#buffer.shift();
                this.#after = change.sequence;
                return change;
            });
        }
    }
    async *pages() {
        for (;;)
            yield await this.page();
    }
    async page() {
        return this.#take(() => {
            const data = this.#buffer;
            this.#buffer = [];
            this.#after = data.at(-1).sequence;
            return { data, headSequence: this.#headSequence };
        });
    }
    toJSON() {
        return { after: this.#after };
    }
    async #take(take) {
        this.#signal?.throwIfAborted();
        if (this.#isReading)
            throw new ArgumentError('The feed is already being read. Wait for the other call to finish.');
        this.#isReading = true;
        try {
            await this.#fill();
            return take();
        }
        finally {
            this.#isReading = false;
        }
    }
    async #fill() {
        while (this.#buffer.length === 0) {
            const { data, headSequence } = await this.#fetchPage(this.#after);
            this.#buffer = data;
            this.#headSequence = headSequence;
        }
    }
}
return { ChangeFeed };
})();

// transaction
const { TRANSACTION_FIELDS } = (() => {
const TRANSACTION_FIELDS = {
    reference: 'text',
    merchantReference: 'text or null',
    status: 'text',
    amount: 'text',
    currencyCode: 'text',
    paidAt: 'text or null',
    createdAt: 'text',
};
return { TRANSACTION_FIELDS };
})();

// response
const { isObject, isSequence, isCount, isText, isJson, errorFrom, readPage, readTransaction, isTransaction } = (() => {
const isObject = (value) => typeof value === 'object' && value !== null;
const isSequence = (value) => Number.isSafeInteger(value);
const isCount = (value) => isSequence(value) && value >= 0;
const isText = (value) => typeof value === 'string';
const textOr = (value, absent) => (isText(value) ? value : absent);
function isJson({ headers }) {
    return /^application\/(problem\+)?json\b/i.test(headers.get('content-type') ?? '');
}
function errorFrom(response, url, nowMs) {
    const { status, headers, requestId } = response;
    const document = problemDocument(response);
    const type = textOr(document['type'], null);
    const title = textOr(document['title'], `HTTP ${status}`);
    const faults = Array.isArray(document['errors']) ? document['errors'].filter(isParameterFault) : [];
    return problemError({
        status,
        title,
        code: textOr(document['code'], `http_${status}`),
        detail: textOr(document['detail'], `The response has status ${status} and gives no reason.`),
        helpUrl: type === null ? null : webUrl(type, url),
        requestId: textOr(document['requestId'], headers.get('request-id') ?? requestId),
        faults,
        retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs),
        resume: textOr(document['resume'], null),
        headSequence: isSequence(document['headSequence']) ? document['headSequence'] : null,
    });
}
function problemDocument(response) {
    try {
        const document = isJson(response) ? JSON.parse(response.text) : {};
        return isObject(document) ? document : {};
    }
    catch {
        return {};
    }
}
function isParameterFault(fault) {
    return isObject(fault) && isText(fault['parameter']) && isText(fault['code']) && isText(fault['detail']);
}
function webUrl(type, base) {
    try {
        const { href, protocol } = new URL(type, base);
        return protocol === 'https:' || protocol === 'http:' ? href : null;
    }
    catch {
        return null;
    }
}
function retryAfterMs(text, nowMs) {
    if (text === null)
        return null;
    if (/^\d+$/.test(text))
        return Number(text) * 1000;
    const atMs = Date.parse(text);
    return Number.isNaN(atMs) ? null : Math.max(atMs - nowMs, 0);
}
function readPage(body, requestId) {
    if (isObject(body) && Array.isArray(body['data']) && body['data'].every(isTransaction)) {
        const { nextCursor, hasMore } = body;
        if (hasMore === false && nextCursor === null)
            return body;
        if (hasMore === true && isText(nextCursor) && body['data'].length > 0)
            return body;
    }
    throw new UnexpectedResponseError(`The response is not a page of transactions (request ${requestId}).`, requestId);
}
function readTransaction(body, requestId) {
    if (isTransaction(body))
        return body;
    throw new UnexpectedResponseError(`The response is not a transaction (request ${requestId}).`, requestId);
}
function isTransaction(value) {
    return (isObject(value) &&
        Object.entries(TRANSACTION_FIELDS).every(([name, type]) => isText(value[name]) || (type === 'text or null' && value[name] === null)));
}
return { isObject, isSequence, isCount, isText, isJson, errorFrom, readPage, readTransaction, isTransaction };
})();

// change-page
const { readChangePage, isChange } = (() => {
function readChangePage(body, after, requestId) {
    const refuse = (fault) => new UnexpectedResponseError(`${fault} (request ${requestId}).`, requestId);
    if (!isChangePage(body))
        throw refuse('The response is not a page of changes');
    let last = after;
    for (const { sequence } of body.data) {
        if (sequence > last + 1)
            throw refuse(`The change feed has a gap: change ${sequence} follows ${last}`);
        if (sequence <= last)
            throw refuse(`The change feed repeats a change: ${sequence} follows ${last}`);
        last = sequence;
    }
    const { data, lastSequence, headSequence, hasMore } = body;
    if (data.length === 0 && headSequence > last)
        throw refuse(`The change feed has a gap: no change follows ${last}, and its head is ${headSequence}`);
    if (lastSequence !== last || headSequence < last || hasMore !== headSequence > last) {
        const said = `lastSequence is ${lastSequence}, headSequence ${headSequence} and hasMore ${hasMore}`;
        throw refuse(`The page of changes contradicts itself: ${said} after change ${last}`);
    }
    return body;
}
function isChangePage(value) {
    return (isObject(value) &&
        Array.isArray(value['data']) &&
        value['data'].every(isChange) &&
        isSequence(value['lastSequence']) &&
        isSequence(value['headSequence']) &&
        typeof value['hasMore'] === 'boolean');
}
function isChange(value) {
    return (isObject(value) &&
        isSequence(value['sequence']) &&
        isText(value['type']) &&
        (isText(value['previousStatus']) || value['previousStatus'] === null) &&
        isText(value['recordedAt']) &&
        isTransaction(value['transaction']));
}
return { readChangePage, isChange };
})();

// known-names
const { nearest, checkNames } = (() => {
function nearest(name, known) {
    const wanted = name.toLowerCase();
    const [best] = known
        .map((candidate) => [candidate, distanceOf(wanted, candidate.toLowerCase())])
        .filter(([{ length }, edits]) => edits <= Math.max(1, Math.floor(length / 3)))
        .sort((one, other) => one[1] - other[1]);
    return best?.[0];
}
const distanceOf = (one, other) => hasSwappedLetters(one, other) ? 1 : editDistance(one, other);
function hasSwappedLetters(one, other) {
    if (one.length !== other.length)
        return false;
    let at = 0;
    while (at < one.length && one[at] === other[at])
        at++;
    return one.slice(0, at) + one[at + 1] + one[at] + one.slice(at + 2) === other;
}
function editDistance(one, other) {
    let row = Array.from({ length: other.length + 1 }, (_, column) => column);
    for (const [index, letter] of [...one].entries()) {
        const above = row;
        row = [index + 1];
        for (let column = 1; column <= other.length; column++) {
            const replaced = above[column - 1] + (letter === other[column - 1] ? 0 : 1);
            row.push(Math.min(replaced, above[column] + 1, row[column - 1] + 1));
        }
    }
    return row[other.length];
}
function checkNames(kind, given, known) {
    const unknown = Object.keys(given).find((name) => !known.includes(name));
    if (unknown === undefined)
        return;
    const meant = nearest(unknown, known);
    throw new TypeError(`The ${kind} "${unknown}" is unknown${meant === undefined ? '.' : `: did you mean ${meant}?`} ` +
        `The ${kind}s are ${known.join(', ')}.`);
}
return { nearest, checkNames };
})();

// request
const { beginRequest, readText, refusal, connectionError } = (() => {
function beginRequest({ url, apiKey, fetch, random }, path, type, signal) {
    const { origin } = new URL(url);
    const requestId = newRequestId(random);
    const ending = new AbortController();
    const abort = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    return {
        requestId,
        origin,
        fetch: () => fetch(url + path, {
            method: 'GET',
            headers: {
                accept: `${type}, application/problem+json`,
                authorization: `Bearer ${apiKey}`,
                'request-id': requestId,
            },
            signal: ending.signal,
            redirect: 'manual',
            cache: 'no-store',
            credentials: 'omit',
        }),
        within: async (timeoutMs, step) => {
            ending.signal.throwIfAborted();
            const timeout = setTimeout(() => ending.abort(new TimeoutError(origin, timeoutMs, requestId)), timeoutMs);
            let stop = () => { };
            try {
                return await new Promise((resolve, reject) => {
                    stop = () => reject(ending.signal.reason);
                    ending.signal.addEventListener('abort', stop);
                    step().then(resolve, reject);
                });
            }
            catch (error) {
                if (ending.signal.aborted)
                    throw ending.signal.reason;
                throw connectionError(origin, causeCode(error), requestId, error);
            }
            finally {
                clearTimeout(timeout);
                ending.signal.removeEventListener('abort', stop);
            }
        },
        end: () => {
            signal?.removeEventListener('abort', abort);
            ending.abort();
        },
    };
}
async function readText(response, { requestId }) {
    return { status: response.status, headers: response.headers, text: await response.text(), requestId };
}
function refusal(response, { url, now }) {
    const { status, requestId } = response;
    if (status >= 400)
        return errorFrom(response, url, now());
    return new UnexpectedResponseError(`The response has status ${status}, which this service never sends.`, requestId);
}
function newRequestId(random) {
    const part = () => Math.floor(random() * 36 ** 8)
        .toString(36)
        .padStart(8, '0');
    return `client-${part()}${part()}`;
}
function connectionError(origin, reason, requestId, cause) {
    const suffix = reason === undefined ? '' : `: ${reason}`;
    const message = `No complete response came from ${origin}${suffix} (request ${requestId}).`;
    return new ConnectionError(message, requestId, cause);
}
function causeCode(error) {
    const { code, cause } = (error ?? {});
    if (typeof code === 'string' && /^\w{1,64}$/.test(code))
        return code;
    return cause === undefined ? undefined : causeCode(cause);
}
return { beginRequest, readText, refusal, connectionError };
})();

// whole-number
const { MAX_TIMER_MS, wholeNumber } = (() => {
const MAX_TIMER_MS = 2 ** 31 - 1;
function wholeNumber(name, value, min, max = MAX_TIMER_MS) {
    if (Number.isInteger(value) && value >= min && value <= max)
        return value;
    throw new ArgumentError(`${name} is not a whole number from ${min} to ${max}.`);
}
return { MAX_TIMER_MS, wholeNumber };
})();

// send
const { checkRequestOptions, createSend, timeLimitMs, pauseAfter } = (() => {
const REQUEST_OPTIONS = Object.keys({ signal: true, timeoutMs: true });
function checkRequestOptions(options) {
    if (options instanceof AbortSignal)
        throw new TypeError('The options are a signal: pass { signal }.');
    checkNames('option', options, REQUEST_OPTIONS);
}
const FIRST_PAUSE_MS = 500;
function createSend(settings) {
    const attempt = async (path, signal, timeoutMs) => {
        const request = beginRequest(settings, path, 'application/json', signal);
        try {
            const response = await request.within(timeoutMs, async () => readText(await request.fetch(), request));
            if (response.status !== 200)
                throw refusal(response, settings);
            return {
                body: parseBody(response, request),
                requestId: response.headers.get('request-id') ?? request.requestId,
            };
        }
        finally {
            request.end();
        }
    };
    return async (path, options, waitMs = 0, isFeed = false) => {
        const limits = isFeed ? settings.feedRetries : settings.callRetries;
        const { signal } = options;
        const timeoutMs = Math.min(timeLimitMs(settings, options) + waitMs, MAX_TIMER_MS);
        for (let retries = 0;; retries++) {
            signal?.throwIfAborted();
            try {
                return await attempt(path, signal, timeoutMs);
            }
            catch (error) {
                await pauseAfter(error, retries, limits, settings, signal);
            }
        }
    };
}
function timeLimitMs(settings, { timeoutMs }) {
    return wholeNumber('timeoutMs', timeoutMs ?? settings.timeoutMs, 1);
}
async function pauseAfter(error, retries, { maxRetries, maxRetryAfterMs, maxPauseMs }, { sleep, random }, signal) {
    if (!(error instanceof TransactionsError) || !error.retryable || retries >= maxRetries)
        throw error;
    const retryAfterMs = (error instanceof ProblemError && error.retryAfterMs) || 0;
    if (retryAfterMs > maxRetryAfterMs)
        throw error;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** retries, maxPauseMs);
    await sleep(Math.max(retryAfterMs, pauseMs) + random() * pauseMs, signal);
}
function parseBody(response, { origin, requestId }) {
    if (!isJson(response)) {
        throw new UnexpectedResponseError(`The response is not JSON, so it did not come from this service (request ${requestId}).`, requestId);
    }
    try {
        return JSON.parse(response.text);
    }
    catch (error) {
        throw connectionError(origin, 'the JSON is incomplete', requestId, error);
    }
}
return { checkRequestOptions, createSend, timeLimitMs, pauseAfter };
})();

// changes
const { Changes } = (() => {
const BOUNDS = {
    after: [0, Number.MAX_SAFE_INTEGER],
    limit: [1, 1000],
    wait: [0, 30],
};
const MIN_INTERVAL_MS = 500;
class Changes {
    #send;
    #timing;
    constructor(send, { now, sleep, random }) {
        this.#send = send;
        this.#timing = { now, sleep, random };
    }
    follow(query = {}, options = {}) {
        checkRequestOptions(options);
        const { after = 0, limit = 1000, wait = 30 } = checkQuery(query);
        wholeNumber('wait', wait, 1, BOUNDS.wait[1]);
        const { now, sleep, random } = this.#timing;
        const fetchPage = async (from) => {
            const startedAtMs = now();
            const page = await this.#read({ after: from, limit, wait }, options, true);
            if (page.data.length === 0 && now() - startedAtMs < MIN_INTERVAL_MS)
                await sleep(MIN_INTERVAL_MS * (1 + random()), options.signal);
            return page;
        };
        return new ChangeFeed(fetchPage, after, options.signal);
    }
    async list(query = {}, options = {}) {
        checkRequestOptions(options);
        return this.#read(checkQuery(query), options, false);
    }
    async #read(checked, options, isFeed) {
        const { after = 0, wait = 0 } = checked;
        const search = Object.entries(checked).map(([name, value]) => `${name}=${value}`);
        const path = `/v1/changes${search.length === 0 ? '' : `?${search.join('&')}`}`;
        const { body, requestId } = await this.#send(path, options, wait * 1000, isFeed);
        return readChangePage(body, after, requestId);
    }
}
function checkQuery(query) {
    if (typeof query !== 'object' || query === null)
        throw new ArgumentError('The parameters are not an object: pass { after }.');
    checkNames('parameter', query, Object.keys(BOUNDS));
    const checked = {};
    for (const [name, [min, max]] of Object.entries(BOUNDS)) {
        const value = query[name];
        if (value !== undefined)
            checked[name] = wholeNumber(name, value, min, max);
    }
    return checked;
}
return { Changes };
})();

// client-options
const { sendSettings } = (() => {
const DAY_MS = 86_400_000;
const OPTIONS = Object.keys({
    url: true,
    apiKey: true,
    timeoutMs: true,
    maxRetries: true,
    maxRetryAfterMs: true,
    fetch: true,
    now: true,
    sleep: true,
    random: true,
});
function sendSettings(options) {
    checkNames('option', options, OPTIONS);
    const maxRetries = wholeNumber('maxRetries', options.maxRetries ?? 5, 0);
    const maxRetryAfterMs = wholeNumber('maxRetryAfterMs', options.maxRetryAfterMs ?? 60_000, 0);
    return {
        url: checkUrl(options.url),
        apiKey: checkApiKey(options.apiKey),
        timeoutMs: wholeNumber('timeoutMs', options.timeoutMs ?? 10_000, 1),
        callRetries: { maxRetries, maxRetryAfterMs, maxPauseMs: 4000 },
        feedRetries: {
            maxRetries: options.maxRetries ?? Number.POSITIVE_INFINITY,
            maxRetryAfterMs: options.maxRetryAfterMs ?? DAY_MS,
            maxPauseMs: 15_000,
        },
        fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
        now: options.now ?? Date.now,
        sleep: options.sleep ?? sleep,
        random: options.random ?? Math.random,
    };
}
function checkUrl(text) {
    let url;
    try {
        url = new URL(text);
    }
    catch {
        throw new ArgumentError('The url is not a URL, such as https://transactions.example.');
    }
    if (!/^https?:$/.test(url.protocol))
        throw new ArgumentError('The url must begin with https:// or http://.');
    if (url.username + url.password + url.search + url.hash !== '') {
        throw new ArgumentError('The url has a user, a query or a fragment. Use only host, port and path.');
    }
    return url.href.replace(/\/+$/, '');
}
function checkApiKey(apiKey) {
    if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey))
        return apiKey;
    throw new ArgumentError('The apiKey is empty, or contains a space, a line break or another character that no key has.');
}
function sleep(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener('abort', stop, { once: true });
        if (signal?.aborted)
            stop();
    });
}
return { sendSettings };
})();

// key
const { fetchKey } = (() => {
async function fetchKey(send, options) {
    checkRequestOptions(options);
    const { body, requestId } = await send('/v1/key', options);
    if (isKey(body))
        return body;
    throw new UnexpectedResponseError(`The response is not a key (request ${requestId}).`, requestId);
}
const isKey = (value) => isObject(value) &&
    isText(value['account']) &&
    isText(value['id']) &&
    Array.isArray(value['scopes']) &&
    value['scopes'].every(isText) &&
    (value['expiresAt'] === null || isText(value['expiresAt']));
return { fetchKey };
})();

// filters
const { FILTERS, checkTexts, withQuery, pathSegment } = (() => {
const LONE_SURROGATE = /\p{Surrogate}/u;
const FILTERS = Object.keys({
    status: true,
    currency: true,
    merchantReference: true,
    from: true,
    to: true,
});
function checkTexts(given, known) {
    if (typeof given !== 'object' || given === null)
        throw new ArgumentError('The filters are not an object.');
    checkNames('filter', given, known);
    const texts = {};
    for (const [name, value] of Object.entries(given)) {
        if (value === undefined)
            continue;
        if (typeof value !== 'string') {
            const hint = value instanceof Date ? ' Use utcDay for a Date.' : '';
            throw new ArgumentError(`The filter ${name} is not a string.${hint}`);
        }
        if (LONE_SURROGATE.test(value))
            throw new ArgumentError(`The filter ${name} is not valid Unicode.`);
        texts[name] = value;
    }
    return texts;
}
function withQuery(path, texts) {
    const search = String(new URLSearchParams(texts));
    return search === '' ? path : `${path}?${search}`;
}
function pathSegment(name, text) {
    if (typeof text === 'string' && !/^\.{0,2}$/.test(text) && !LONE_SURROGATE.test(text))
        return encodeURIComponent(text);
    throw new ArgumentError(`The ${name} is empty, or cannot be part of a URL.`);
}
return { FILTERS, checkTexts, withQuery, pathSegment };
})();

// totals
const { fetchTotals, isTotalsRow } = (() => {
const PARAMETERS = [...FILTERS.filter((name) => name !== 'merchantReference'), 'by'];
async function fetchTotals(send, query, options) {
    checkRequestOptions(options);
    const { body, requestId } = await send(withQuery('/v1/totals', checkTexts(query, PARAMETERS)), options);
    if (isTotals(body, query.by === 'day'))
        return body;
    throw new UnexpectedResponseError(`The response is not totals (request ${requestId}).`, requestId);
}
function isTotals(value, byDay) {
    return (isObject(value) &&
        Array.isArray(value['data']) &&
        value['data'].every((row) => isTotalsRow(row) && isText(row.day) === byDay) &&
        isCount(value['asOf']));
}
function isTotalsRow(value) {
    return (isObject(value) &&
        isText(value['currencyCode']) &&
        isText(value['status']) &&
        isCount(value['count']) &&
        isText(value['amount']) &&
        AMOUNT.test(value['amount']));
}
return { fetchTotals, isTotalsRow };
})();

// answer
const { openAnswer } = (() => {
async function openAnswer(settings, path, type, { signal, timeoutMs, firstMs }) {
    signal?.throwIfAborted();
    const request = beginRequest(settings, path, type, signal);
    let limitMs = Math.min(timeoutMs + firstMs, MAX_TIMER_MS);
    try {
        const response = await request.within(limitMs, request.fetch);
        if (response.status !== 200)
            throw refusal(await request.within(timeoutMs, () => readText(response, request)), settings);
        const reader = response.body?.getReader();
        if (reader === undefined)
            throw new ArgumentError('The fetch of the client returns no `body` stream, which exports need.');
        return {
            headers: response.headers,
            requestId: response.headers.get('request-id') ?? request.requestId,
            read: async () => {
                const { done, value } = await request.within(limitMs, () => reader.read());
                limitMs = timeoutMs;
                return done ? null : value;
            },
            close: () => {
                request.end();
                reader.cancel().catch(() => { });
            },
        };
    }
    catch (error) {
        request.end();
        throw error;
    }
}
return { openAnswer };
})();

// export-manifest
const { fetchManifest, readManifest, expectedRows, readRow, parseLine } = (() => {
async function fetchManifest(send, id, options) {
    checkRequestOptions(options);
    const { body, requestId } = await send(`/v1/exports/${pathSegment('id', id)}`, options);
    return readManifest(body, requestId);
}
function readManifest(body, requestId) {
    if (isManifest(body))
        return body;
    throw new UnexpectedResponseError(`The response is not the manifest of an export (request ${requestId}).`, requestId);
}
const expectedRows = ({ totals }) => totals.reduce((rows, { count }) => rows + count, 0);
function isManifest(value) {
    if (!isObject(value))
        return false;
    const { state, totals, parts } = value;
    const isResult = state === 'complete' ? isPart(value) : state === 'running' || state === 'failed';
    const areTexts = ['id', 'format', 'startedAt'].every((name) => isText(value[name]));
    const areTotals = Array.isArray(totals) && totals.every(isTotalsRow);
    return (isResult && areTexts && areTotals && isCount(value['asOf']) && Array.isArray(parts) && parts.every(isPart));
}
const isPart = (value) => isObject(value) && isCount(value['rows']) && isCount(value['bytes']) && isText(value['sha256']);
function readRow(line) {
    const row = parseLine(line);
    if (isTransaction(row) && AMOUNT.test(row.amount))
        return row;
    throw new UnexpectedResponseError('A line of the export is not a transaction.', null);
}
function parseLine(line) {
    try {
        return JSON.parse(line);
    }
    catch {
        return undefined;
    }
}
return { fetchManifest, readManifest, expectedRows, readRow, parseLine };
})();

// rows
const { RowSplitter } = (() => {
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const MANIFEST = new TextEncoder().encode('{"export":');
const MAX_ROW_BYTES = 2 ** 20;
const decoder = new TextDecoder();
class RowSplitter {
    #format;
    #header;
    #rest = new Uint8Array(0);
    isAtManifest = false;
    constructor(format, header) {
        this.#format = format;
        this.#header = header;
    }
    get rest() {
        return decoder.decode(this.#rest);
    }
    push(added) {
        const bytes = joined(this.#rest, added);
        let [begin, last, end, count] = [0, 0, 0, 0];
        let quote = this.#format === 'csv' ? bytes.indexOf(QUOTE) : -1;
        while (!this.isAtManifest) {
            let lineEnd = bytes.indexOf(LINE_FEED, end);
            while (quote !== -1 && quote < lineEnd) {
                const closing = bytes.indexOf(QUOTE, quote + 1);
                if (closing === -1)
                    lineEnd = -1;
                else if (lineEnd < closing)
                    lineEnd = bytes.indexOf(LINE_FEED, closing);
                quote = closing === -1 ? -1 : bytes.indexOf(QUOTE, closing + 1);
            }
            if (lineEnd === -1)
                break;
            if (this.#format === 'ndjson' && MANIFEST.every((byte, index) => bytes[end + index] === byte)) {
                this.isAtManifest = true;
                break;
            }
            last = end;
            end = lineEnd + 1;
            if (this.#header === null)
                count++;
            if (this.#header === 'drop')
                begin = end;
            this.#header = null;
        }
        this.#rest = bytes.slice(end);
        if (this.#rest.length > MAX_ROW_BYTES)
            throw new UnexpectedResponseError('The export is damaged: a row does not end.', null);
        const row = count === 0 ? null : decoder.decode(bytes.subarray(last, end));
        return { bytes: bytes.subarray(begin, end), count, last: row };
    }
}
function joined(one, other) {
    if (one.length === 0)
        return other;
    const both = new Uint8Array(one.length + other.length);
    both.set(one);
    both.set(other, one.length);
    return both;
}
return { RowSplitter };
})();

// sha256
const { Sha256 } = (() => {
const ROUNDS = new Int32Array(64);
const START = new Int32Array(8);
for (let number = 2, count = 0; count < 64; number++) {
    let divisor = 2;
    while (number % divisor !== 0)
        divisor++;
    if (divisor < number)
        continue;
    if (count < 8)
        START[count] = (Math.sqrt(number) % 1) * 2 ** 32;
    ROUNDS[count++] = (Math.cbrt(number) % 1) * 2 ** 32;
}
const BLOCK_BYTES = 64;
class Sha256 {
    #state = START.slice();
    #rest = new Uint8Array(BLOCK_BYTES);
    #bytes = 0;
    update(bytes) {
        const filled = this.#bytes % BLOCK_BYTES;
        this.#bytes += bytes.length;
        let from = 0;
        if (filled > 0) {
            from = BLOCK_BYTES - filled;
            this.#rest.set(bytes.subarray(0, from), filled);
            if (bytes.length < from)
                return;
            addBlocks(this.#state, this.#rest, 0, BLOCK_BYTES);
        }
        const to = bytes.length - ((bytes.length - from) % BLOCK_BYTES);
        addBlocks(this.#state, bytes, from, to);
        this.#rest.set(bytes.subarray(to));
    }
    hex() {
        const bits = this.#bytes * 8;
        const filled = this.#bytes % BLOCK_BYTES;
        const padding = new Uint8Array((filled < 56 ? 64 : 128) - filled);
        const view = new DataView(padding.buffer);
        padding[0] = 0x80;
        view.setUint32(padding.length - 8, bits / 2 ** 32);
        view.setUint32(padding.length - 4, bits);
        const ended = new Sha256();
        ended.#state.set(this.#state);
        ended.#rest.set(this.#rest);
        ended.#bytes = this.#bytes;
        ended.update(padding);
        return Array.from(ended.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    }
}
const schedule = new Int32Array(64);
const rotated = (word, bits) => (word >>> bits) | (word << (32 - bits));
function addBlocks(state, bytes, from, to) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const [w, k] = [schedule, ROUNDS];
    for (let at = from; at < to; at += BLOCK_BYTES) {
        for (let i = 0; i < 16; i++)
            w[i] = view.getInt32(at + i * 4);
        for (let i = 16; i < 64; i++) {
            const x = w[i - 15];
            const y = w[i - 2];
            const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
            const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
            w[i] = s0 + w[i - 7] + s1 + w[i - 16];
        }
        let a = state[0];
        let b = state[1];
        let c = state[2];
        let d = state[3];
        let e = state[4];
        let f = state[5];
        let g = state[6];
        let h = state[7];
        for (let i = 0; i < 64; i++) {
            const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
            const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
            const choice = g ^ (e & (f ^ g));
            const majority = (a & b) | (c & (a | b));
            const t = (h + s1 + choice + k[i] + w[i]) | 0;
            h = g;
            g = f;
            f = e;
            e = (d + t) | 0;
            d = c;
            c = b;
            b = a;
            a = (t + s0 + majority) | 0;
        }
        [a, b, c, d, e, f, g, h].forEach((word, i) => {
            state[i] = state[i] + word;
        });
    }
}
return { Sha256 };
})();

// export
const { FILE_ITEMS, Export } = (() => {
const MEDIA_TYPES = {
    csv: 'text/csv',
    ndjson: 'application/x-ndjson',
};
const PARAMETERS = [...FILTERS, 'format', 'spreadsheet'];
const ROWS_REREAD_PER_MS = 10;
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 3200;
const FILE_ITEMS = { read: (rows) => [rows], verify: () => { } };
class Export {
    #settings;
    #send;
    #format;
    #query;
    #options;
    #items;
    #buffer = [];
    #id = null;
    #asOf = null;
    #rows = 0;
    #expectedRows = null;
    #manifest = null;
    #bytes = 0;
    #hash = new Sha256();
    #last = '';
    #requestId = '';
    #isEnded = false;
    #isReading = false;
    constructor(settings, { spreadsheet, ...given }, options, items) {
        checkRequestOptions(options);
        const guard = spreadsheet === undefined ? {} : { spreadsheet: String(spreadsheet) };
        const { format = '', ...query } = checkTexts({ ...given, ...guard }, PARAMETERS);
        if (!Object.hasOwn(MEDIA_TYPES, format))
            throw new ArgumentError('The format is neither csv nor ndjson.');
        this.#settings = settings;
        this.#send = createSend({ ...settings, callRetries: { ...settings.callRetries, maxRetries: 0 } });
        this.#format = format;
        this.#query = query;
        this.#options = options;
        this.#items = items;
    }
    get id() {
        return this.#id;
    }
    get asOf() {
        return this.#asOf;
    }
    get rows() {
        return this.#rows;
    }
    get expectedRows() {
        return this.#expectedRows;
    }
    get manifest() {
        return this.#manifest;
    }
    async *[Symbol.asyncIterator]() {
        if (this.#isReading)
            throw new ArgumentError('The export is already being read. Wait for the other loop to end.');
        this.#isReading = true;
        const ending = new AbortController();
        try {
            yield* this.#drain();
            for (let retries = 0; this.#manifest === null; retries++) {
                const before = this.#rows;
                try {
                    if (!this.#isEnded)
                        yield* this.#readAnswer(ending.signal);
                    if (this.#isEnded)
                        await this.#awaitManifest();
                }
                catch (error) {
                    if (this.#rows > before)
                        retries = 0;
                    const { callRetries } = this.#settings;
                    await pauseAfter(error, retries, callRetries, this.#settings, this.#options.signal);
                }
            }
        }
        finally {
            this.#isReading = false;
            ending.abort();
        }
    }
    async *#readAnswer(ending) {
        const answer = await openAnswer(this.#settings, this.#path(), MEDIA_TYPES[this.#format], {
            signal: this.#options.signal,
            timeoutMs: timeLimitMs(this.#settings, this.#options),
            firstMs: Math.ceil(this.#rows / ROWS_REREAD_PER_MS),
        });
        try {
            this.#begin(answer);
            if (this.#expectedRows === null)
                this.#expectRows(ending);
            const splitter = new RowSplitter(this.#format, this.#headerOf());
            for (;;) {
                const bytes = await answer.read().catch((error) => {
                    if (splitter.isAtManifest)
                        return null;
                    throw error;
                });
                if (bytes === null)
                    break;
                this.#add(splitter.push(bytes));
                yield* this.#drain();
            }
            this.#end(splitter.rest);
        }
        finally {
            answer.close();
        }
    }
    *#drain() {
        for (let item = this.#buffer.pop(); item !== undefined; item = this.#buffer.pop())
            yield item;
    }
    #path() {
        const path = `/v1/transactions.${this.#format}`;
        if (this.#id === null)
            return withQuery(path, this.#query);
        return withQuery(path, { resume: this.#id, ...(this.#rows > 0 && { after: this.#last }) });
    }
    #headerOf() {
        if (this.#format !== 'csv' || this.#rows > 0)
            return null;
        return this.#bytes === 0 ? 'keep' : 'drop';
    }
    #begin({ headers, requestId }) {
        this.#requestId = requestId;
        const id = headers.get('export-id');
        const asOf = Number(headers.get('export-as-of') || Number.NaN);
        const isFirst = this.#id === null;
        if (!id || !isCount(asOf) || (!isFirst && (id !== this.#id || asOf !== this.#asOf)))
            throw this.#unexpected(`The response is not ${isFirst ? 'an' : 'the same'} export`);
        this.#id = id;
        this.#asOf = asOf;
    }
    #expectRows(signal) {
        this.#fetchManifest(signal).then((manifest) => {
            if (manifest !== null)
                this.#expectedRows = expectedRows(manifest);
        }, () => { });
    }
    #add({ bytes, count, last }) {
        if (bytes.length === 0)
            return;
        this.#buffer = this.#items.read(bytes).reverse();
        if (last !== null)
            this.#last = this.#referenceOf(last);
        this.#hash.update(bytes);
        this.#bytes += bytes.length;
        this.#rows += count;
    }
    #referenceOf(row) {
        if (this.#format === 'csv')
            return row.slice(row.startsWith("'") ? 1 : 0, row.indexOf(','));
        return readRow(row).reference;
    }
    #end(rest) {
        if (this.#format === 'csv') {
            if (rest !== '')
                throw this.#incomplete();
            this.#isEnded = true;
            return;
        }
        const line = parseLine(rest);
        if (!isObject(line) || !('export' in line))
            throw this.#incomplete();
        this.#verify(readManifest(line['export'], this.#requestId));
    }
    async #awaitManifest() {
        const { signal } = this.#options;
        for (let pauseMs = FIRST_PAUSE_MS; pauseMs <= LAST_PAUSE_MS; pauseMs *= 2) {
            const manifest = await this.#fetchManifest(signal);
            if (manifest?.state === 'complete') {
                const isWhole = manifest.id !== this.#id || this.#bytes >= manifest.bytes;
                if (isWhole)
                    return this.#verify(manifest);
                break;
            }
            if (manifest?.state === 'failed')
                break;
            await this.#settings.sleep(pauseMs, signal);
        }
        this.#isEnded = false;
        throw this.#incomplete();
    }
    async #fetchManifest(signal) {
        try {
            return await fetchManifest(this.#send, this.#id, { ...this.#options, signal });
        }
        catch (error) {
            if (error instanceof NotFoundError)
                return null;
            throw error;
        }
    }
    #verify(manifest) {
        const own = {
            id: this.#id,
            state: 'complete',
            format: this.#format,
            asOf: this.#asOf,
            rows: this.#rows,
            bytes: this.#bytes,
            sha256: this.#hash.hex(),
        };
        const names = Object.keys(own).filter((name) => manifest[name] !== own[name]);
        const differences = names.map((name) => `${name} is ${own[name]}, not ${manifest[name]}`);
        if (expectedRows(manifest) !== this.#rows)
            differences.push('its totals have another number of rows');
        if (differences.length > 0)
            throw new ExportDamagedError(differences.join('; '), this.#requestId);
        this.#items.verify(manifest);
        this.#expectedRows = this.#rows;
        this.#manifest = manifest;
        this.#isEnded = false;
    }
    #incomplete() {
        const { origin } = new URL(this.#settings.url);
        return connectionError(origin, 'the export ends early', this.#requestId, undefined);
    }
    #unexpected(fault) {
        return new UnexpectedResponseError(`${fault} (request ${this.#requestId}).`, this.#requestId);
    }
}
return { FILE_ITEMS, Export };
})();

// exported-transactions
const { exportedTransactions } = (() => {
const decoder = new TextDecoder();
function exportedTransactions() {
    const sums = new Map();
    return {
        read: (rows) => {
            const transactions = decoder.decode(rows).trimEnd().split('\n').map(readRow);
            for (const { currencyCode, status, amount } of transactions) {
                const [count, minor] = sums.get(`${currencyCode} ${status}`) ?? [0, 0n];
                sums.set(`${currencyCode} ${status}`, [count + 1, minor + toMinorUnits(amount)]);
            }
            return transactions;
        },
        verify: ({ totals }) => {
            const own = [...sums].map(([key, [count, minor]]) => `${key}: ${count}, ${fromMinorUnits(minor)}`);
            const said = totals.map(({ currencyCode, status, count, amount }) => `${currencyCode} ${status}: ${count}, ${amount}`);
            const [ours, theirs] = [own, said].map((lines) => lines.sort().join('; '));
            if (ours !== theirs)
                throw new ExportDamagedError(`the totals are ${ours}, not ${theirs}`, null);
        },
    };
}
return { exportedTransactions };
})();

// fetch-transactions
const { fetchPage, fetchTransaction } = (() => {
const LIST_PATH = '/v1/transactions';
const PARAMETERS = [...FILTERS, 'cursor'];
async function fetchPage(send, query, options) {
    checkRequestOptions(options);
    const { body, requestId } = await send(withQuery(LIST_PATH, checkTexts(query, PARAMETERS)), options);
    return readPage(body, requestId);
}
async function fetchTransaction(send, reference, options) {
    checkRequestOptions(options);
    const { body, requestId } = await send(`${LIST_PATH}/${pathSegment('reference', reference)}`, options);
    return readTransaction(body, requestId);
}
return { fetchPage, fetchTransaction };
})();

// saved-walk
const { checkFilters, checkSavedWalk } = (() => {
const isTextOrNull = (value) => value === null || typeof value === 'string';
const isTimestamp = (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/.test(value);
function checkFilters(filters) {
    if (filters !== null && typeof filters === 'object' && 'cursor' in filters)
        throw new ArgumentError('list takes no cursor: a walk has its own. To continue a saved walk, use resume.');
    return checkTexts(filters, FILTERS);
}
function checkSavedWalk(saved) {
    const { version, filters, last, next } = saved ?? {};
    if (version !== 1)
        throw new ArgumentError('The saved walk has a version that this client does not know.');
    const isLast = last === null || (isTimestamp(last?.createdAt) && typeof last.reference === 'string');
    const isNext = next === null || (next !== undefined && isTextOrNull(next.to) && isTextOrNull(next.cursor));
    if (!isLast || !isNext)
        throw new ArgumentError('The saved walk is damaged.');
    return { version, filters: checkFilters(filters), last, next };
}
return { checkFilters, checkSavedWalk };
})();

// transaction-changes
const { fetchTransactionChanges } = (() => {
async function fetchTransactionChanges(send, reference, options) {
    checkRequestOptions(options);
    const path = `/v1/transactions/${pathSegment('reference', reference)}/changes`;
    const { body, requestId } = await send(path, options);
    if (isObject(body) && Array.isArray(body['data']) && body['data'].every(isChange))
        return body['data'];
    throw new UnexpectedResponseError(`The response is not a list of changes (request ${requestId}).`, requestId);
}
return { fetchTransactionChanges };
})();

// time
const { DAY_MS, toDate, utcDay, startOfDayMs } = (() => {
const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
function toDate(timestamp) {
    const date = new Date(TIMESTAMP.test(timestamp) ? timestamp : Number.NaN);
    if (Number.isNaN(date.getTime()))
        throw new ArgumentError('The text is not a UTC timestamp with milliseconds.');
    return date;
}
function utcDay(date) {
    const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
    if (!TIMESTAMP.test(text) || text.startsWith('0000'))
        throw new ArgumentError('The date is invalid, or outside the years 1 to 9999.');
    return text.slice(0, 10);
}
function startOfDayMs(day) {
    if (!DAY.test(day))
        return undefined;
    const startMs = Date.parse(`${day}T00:00:00.000Z`);
    return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day) ? startMs : undefined;
}
return { DAY_MS, toDate, utcDay, startOfDayMs };
})();

// window
const { MAX_RANGE_DAYS, newestWindow, dayBefore } = (() => {
const MAX_RANGE_DAYS = 90;
function newestWindow({ from, to }) {
    const firstMs = from === undefined ? undefined : startOfDayMs(from);
    const lastMs = to === undefined ? undefined : startOfDayMs(to);
    if (firstMs === undefined || lastMs === undefined || lastMs - firstMs <= MAX_RANGE_DAYS * DAY_MS)
        return { from, to };
    return { from: utcDay(new Date(lastMs - MAX_RANGE_DAYS * DAY_MS)), to };
}
function dayBefore(window, range) {
    if (window.from === undefined || window.from === range.from)
        return undefined;
    return utcDay(new Date(startOfDayMs(window.from) - DAY_MS));
}
return { MAX_RANGE_DAYS, newestWindow, dayBefore };
})();

// walk
const { TransactionWalk } = (() => {
const MAX_EXPIRIES = 3;
class TransactionWalk {
    #fetchPage;
    #options;
    #filters;
    #last;
    #current = null;
    #next;
    #buffer = [];
    #isCatchingUp;
    #expiries = 0;
    #isReading = false;
    constructor(fetchPage, { filters, last, next }, options) {
        this.#fetchPage = fetchPage;
        this.#options = options;
        this.#filters = filters;
        this.#last = last;
        this.#next = next;
        this.#isCatchingUp = last !== null;
    }
    async *[Symbol.asyncIterator]() {
        for (;;) {
            const transaction = await this.#take(() => {
                const first = this.#buffer.shift();
                if (first !== undefined)
                    this.#last = positionOf(first);
                return first;
            });
            if (transaction === undefined)
                return;
            yield transaction;
        }
    }
    async *pages() {
        for (;;) {
            const page = await this.page();
            if (page.data.length > 0)
                yield page;
            if (!page.hasMore)
                return;
        }
    }
    async page() {
        return this.#take(() => {
            const data = this.#buffer;
            const last = data.at(-1);
            this.#buffer = [];
            if (last !== undefined)
                this.#last = positionOf(last);
            return { data, hasMore: this.#next !== null };
        });
    }
    toJSON() {
        const next = this.#buffer.length > 0 ? this.#current : this.#next;
        return { version: 1, filters: { ...this.#filters }, last: this.#last, next: next && { ...next } };
    }
    async #take(take) {
        this.#options.signal?.throwIfAborted();
        if (this.#isReading)
            throw new ArgumentError('The walk is already being read. Wait for the other call to finish.');
        this.#isReading = true;
        try {
            await this.#fill();
            return take();
        }
        finally {
            this.#isReading = false;
        }
    }
    async #fill() {
        while (this.#buffer.length === 0 && this.#next !== null)
            await this.#read(this.#next);
    }
    async #read(start) {
        const window = newestWindow({ ...this.#filters, to: start.to ?? undefined });
        const { merchantReference } = this.#filters;
        const query = start.cursor === null
            ? { ...this.#filters, ...window }
            :
                { cursor: start.cursor, ...(merchantReference !== undefined && { merchantReference }) };
        let page;
        try {
            page = await this.#fetchPage(query, this.#options);
        }
        catch (error) {
            if (!(error instanceof CursorExpiredError) || ++this.#expiries > MAX_EXPIRIES)
                throw error;
            this.#next = this.#startAtLast(start);
            this.#isCatchingUp = true;
            return;
        }
        const unseen = this.#unseen(page.data);
        if (unseen.length > 0) {
            this.#isCatchingUp = false;
            this.#expiries = 0;
        }
        const next = this.#startAfter(page, start, window);
        this.#next = next !== null && page.data.length === 0 ? await this.#skipGap(next) : next;
        this.#buffer = unseen;
        this.#current = start;
    }
    #startAtLast({ to }) {
        const day = this.#last?.createdAt.slice(0, 10) ?? null;
        return { to: to === null || (day !== null && day < to) ? day : to, cursor: null };
    }
    #startAfter({ nextCursor }, { to }, window) {
        if (nextCursor !== null)
            return { to, cursor: nextCursor };
        const before = dayBefore(window, this.#filters);
        return before === undefined ? null : { to: before, cursor: null };
    }
    async #skipGap({ to }) {
        const page = await this.#fetchPage({ ...this.#filters, from: undefined, to: to ?? undefined }, this.#options);
        const day = page.data[0]?.createdAt.slice(0, 10);
        return day === undefined || day < (this.#filters.from ?? '') ? null : { to: day, cursor: null };
    }
    #unseen(data) {
        const inOrder = data.every((one, index) => index === 0 || isAfter(one, data[index - 1]));
        const last = this.#last;
        const unseen = last === null ? [...data] : data.filter((one) => isAfter(one, last));
        if (!inOrder || (!this.#isCatchingUp && unseen.length < data.length)) {
            throw new UnexpectedResponseError('The list is out of order: transactions could be lost or repeated.', null);
        }
        return unseen;
    }
}
const positionOf = ({ createdAt, reference }) => ({ createdAt, reference });
function isAfter(one, other) {
    if (one.createdAt !== other.createdAt)
        return one.createdAt < other.createdAt;
    return one.reference < other.reference;
}
return { TransactionWalk };
})();

// transactions
const { Transactions } = (() => {
class Transactions {
    #send;
    #settings;
    constructor(settings) {
        this.#send = createSend(settings);
        this.#settings = settings;
    }
    list(filters = {}, options = {}) {
        const checked = checkFilters(filters);
        const next = { to: checked.to ?? null, cursor: null };
        return this.resume({ version: 1, filters: checked, last: null, next }, options);
    }
    resume(saved, options = {}) {
        checkRequestOptions(options);
        return new TransactionWalk((query, each) => this.page(query, each), checkSavedWalk(saved), options);
    }
    page(query = {}, options = {}) {
        return fetchPage(this.#send, query, options);
    }
    retrieve(reference, options = {}) {
        return fetchTransaction(this.#send, reference, options);
    }
    changes(reference, options = {}) {
        return fetchTransactionChanges(this.#send, reference, options);
    }
    export(filters = {}, options = {}) {
        return new Export(this.#settings, { ...filters, format: 'ndjson' }, options, exportedTransactions());
    }
    exportFile(query, options = {}) {
        return new Export(this.#settings, query, options, FILE_ITEMS);
    }
    exportManifest(id, options = {}) {
        return fetchManifest(this.#send, id, options);
    }
}
return { Transactions };
})();

// client
const { TransactionsClient } = (() => {
class TransactionsClient {
    url;
    transactions;
    changes;
    #send;
    constructor(options) {
        const settings = sendSettings(options);
        this.#send = createSend(settings);
        this.url = settings.url;
        this.transactions = new Transactions(settings);
        this.changes = new Changes(this.#send, settings);
    }
    key(options = {}) {
        return fetchKey(this.#send, options);
    }
    totals(query = {}, options = {}) {
        return fetchTotals(this.#send, query, options);
    }
}
return { TransactionsClient };
})();

// hmac
const { hmacSha256 } = (() => {
const BLOCK_BYTES = 64;
function hashOf(...pieces) {
    const hash = new Sha256();
    for (const piece of pieces)
        hash.update(piece);
    return Uint8Array.from(hash.hex().match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
function hmacSha256(key, ...message) {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(key.length > BLOCK_BYTES ? hashOf(key) : key);
    const inner = hashOf(block.map((byte) => byte ^ 0x36), ...message);
    return hashOf(block.map((byte) => byte ^ 0x5c), inner);
}
return { hmacSha256 };
})();

// webhook
const { verifyWebhook } = (() => {
const SECRET = /^whsec_([A-Za-z\d+/]+={0,2})$/;
const TOLERANCE_SECONDS = 300;
function verifyWebhook(body, headers, secrets, { now = Date.now } = {}) {
    const bytes = bytesOf(body);
    const keys = keysOf(secrets);
    const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => readHeader(headers, `webhook-${name}`));
    checkTime(timestamp, now());
    const signed = new TextEncoder().encode(`${id}.${timestamp}.`);
    const given = signatures.split(' ');
    let isSigned = false;
    for (const key of keys) {
        const signature = `v1,${btoa(String.fromCharCode(...hmacSha256(key, signed, bytes)))}`;
        for (const one of given)
            isSigned = isSame(one, signature) || isSigned;
    }
    if (!isSigned)
        throw new WebhookVerificationError('No signature matches: the secret belongs to another endpoint, or the body is not the one that was received, byte for byte.');
    return { id, ...readEvent(bytes) };
}
function bytesOf(body) {
    if (isText(body))
        return new TextEncoder().encode(body);
    if (body instanceof Uint8Array)
        return body;
    if (body instanceof ArrayBuffer)
        return new Uint8Array(body);
    throw new ArgumentError('The body must be text or bytes as received, before JSON is parsed.');
}
function keysOf(secrets) {
    const texts = isText(secrets) ? [secrets] : secrets;
    if (!Array.isArray(texts) || texts.length === 0)
        throw new ArgumentError('The secret of the endpoint is missing.');
    return texts.map((text) => {
        const [, base64] = SECRET.exec(String(text)) ?? [];
        if (base64 === undefined || base64.replace(/=+$/, '').length % 4 === 1)
            throw new ArgumentError('A secret of an endpoint is whsec_ and base64.');
        return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    });
}
function readHeader(headers, name) {
    let value;
    if (typeof headers.get === 'function')
        value = headers.get(name);
    else {
        const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
        value = key === undefined ? undefined : headers[key];
    }
    const text = Array.isArray(value) ? value.join(' ') : value;
    if (!isText(text) || text === '')
        throw new WebhookVerificationError(`The request has no ${name} header, so it is not a delivery.`);
    return text;
}
function checkTime(timestamp, nowMs) {
    if (!/^\d{1,11}$/.test(timestamp))
        throw new WebhookVerificationError('The webhook-timestamp header is not a number of seconds.');
    const age = Math.floor(nowMs / 1000) - Number(timestamp);
    if (Math.abs(age) <= TOLERANCE_SECONDS)
        return;
    const when = age > 0 ? `${age} s ago` : `${-age} s in the future`;
    throw new WebhookVerificationError(`The request was signed ${when}, and at most ${TOLERANCE_SECONDS} s are accepted. Is the clock of this machine right?`);
}
function isSame(one, other) {
    let difference = one.length ^ other.length;
    for (let index = 0; index < other.length; index++)
        difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
    return difference === 0;
}
function readEvent(bytes) {
    let event;
    try {
        event = JSON.parse(new TextDecoder().decode(bytes));
    }
    catch { }
    if (isObject(event) && isText(event['type']) && isText(event['timestamp'])) {
        const { type, timestamp, data } = event;
        if (!type.startsWith('transaction.'))
            return { type, timestamp, data: null };
        if (isChange(data))
            return { type, timestamp, data };
    }
    throw new WebhookVerificationError('The request is signed, but its body is not an event of this service.');
}
return { verifyWebhook };
})();

export {
  fromMinorUnits,
  toMinorUnits,
  TransactionsClient,
  ArgumentError,
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  CursorMalformedError,
  ExportDamagedError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  ProblemError,
  RateLimitedError,
  SequenceAheadError,
  ServiceError,
  TimeoutError,
  TransactionsError,
  UnexpectedResponseError,
  WebhookVerificationError,
  toDate,
  utcDay,
  verifyWebhook,
};
