import { isMatch } from './is-match.js';

/**
 * Quoted from SPEC.md, with the ids of the checks. A `*` at the end of an id matches any ending.
 * @type {[sentence: string, ids: string[]][]}
 */
const SENTENCES = [
  [
    'A response has it as an object with these fields:',
    ['transaction.fields', 'transaction.no-other-fields'],
  ],
  ['1 to 64 characters of `A-Z a-z 0-9 . _ -`', ['transaction.reference.form']],
  [
    '1 to 255 characters (code points), none a control character or U+FFFD',
    ['transaction.merchant-reference.form'],
  ],
  ['an active code of ISO 4217: three capital letters', ['transaction.currency.form']],
  ['when the transaction was created', ['transaction.created-at.form']],
  ['of the payment; null while the transaction is not paid', ['transaction.paid-at.form']],
  ['`reference`, `amount`, `currencyCode` and `createdAt` never change.', ['pages.unchanging']],
  ['`pending` means not yet paid: `paidAt` is null.', ['transaction.paid-at.pending']],
  ['`completed` means paid: `paidAt` is a time.', ['transaction.paid-at.completed']],
  [
    'A status is a lower-case letter and up to 31 characters of `a-z 0-9 _`, and is compared exactly.',
    ['transaction.status.recognized'],
  ],
  ['An amount is a decimal number with exactly two decimals, in every currency', ['transaction.amount.form']],
  ['A **day** is written `YYYY-MM-DD`, of the years 0001 to 9999', ['date.invalid']],
  ['`HEAD` is answered like `GET`, without the body.', ['method.head']],
  [
    'A method that a path does not have is 405 `method_not_allowed`, with `Allow`',
    ['method.not-allowed', 'method.safe'],
  ],
  ['a path that does not exist is 404 `not_found`', ['path.not-found']],
  ['A target of up to 4,096 characters is accepted.', ['problem.too-large']],
  ['A query is read as `application/x-www-form-urlencoded` in UTF-8', ['parameter.encoding']],
  [
    'An unknown parameter is 400 `unknown_parameter`, whatever its value and however often it is sent',
    ['parameter.unknown'],
  ],
  [
    '`detail` SHOULD name the nearest one that exists, and for `limit` and the like the page size.',
    ['parameter.unknown.nearest'],
  ],
  [
    'A parameter that is sent twice is 400 `duplicate_parameter`, whatever its values: one fault.',
    ['parameter.duplicate'],
  ],
  ['An empty value is an invalid value, not an absent one.', ['parameter.empty']],
  ['All faults of a request are reported together.', ['fault.several', 'cursor.beside-faults']],
  ['The body of a response is `application/json` too', ['list.envelope.json']],
  ['identifies the request for its operator', ['headers.request-id']],
  ['on every response under `/v1`', ['headers.no-store']],
  ['SHOULD be there if the key has a limit', ['headers.rate-limit']],
  ['A key belongs to one account: nothing of another account is ever in a response.', ['pages.foreign']],
  ['there is no header, another scheme, or no key after `Bearer`', ['auth.missing', 'auth.scheme']],
  ['the key is unknown, misspelt, revoked or expired: one response for all of them', ['auth.invalid']],
  ['the key does not have the scope that the operation needs', ['keys.scopes']],
  ['with a wrong key, none of their faults is reported', ['auth.before-faults']],
  [
    '`GET /v1/key` returns what the key is for: `account`, `id`, `kind` (`key`, or `session` for the key of a [person](#sessions)), `person` (null for a key), `scopes` and `expiresAt` (a time or null).',
    ['auth.own-key'],
  ],
  [
    'Every response with a status of 400 or more has the content type `application/problem+json`',
    ['problem.content-type', 'problem.fields', 'problem.framework'],
  ],
  ['of a page that explains the error, and SHOULD need no key', ['problem.type-page']],
  ['the same sentence for every error of this kind', ['problem.title']],
  ['identifies the kind of error, for programs', ['problem.codes']],
  ['what is wrong here, and what would be right, for people', ['problem.no-internals', 'auth.not-echoed']],
  ['With one faulty parameter, `code` is that of its fault', ['fault.each']],
  ['sends it again after `Retry-After`', ['headers.unavailable']],
  ['A limit that a key or an account has reached is 429, with `Retry-After`', ['headers.rate-limited']],
  ['`data`: an array of the items, in an order that does not change.', ['list.envelope.fields']],
  ['Every collection is returned in pages: an object with', ['list.envelope.no-other-fields']],
  ['null on the last one', ['list.envelope.last-page', 'list.envelope.empty']],
  ['With `nextCursor`, and only then, come two headers.', ['headers.link.last-page']],
  ['1 second to 30 days ahead', ['cursor.expires-header']],
  ['which SHOULD be later on each page', ['cursor.fresh']],
  [
    '`Link: <...>; rel="next"` has the URL reference of the next page, which like every URL reference is resolved against the URL of the request',
    ['headers.link'],
  ],
  [
    'It has at most 512 characters of `A-Z a-z 0-9 - _`, in one form only.',
    ['cursor.form', 'cursor.canonical', 'filter.merchant-reference.long'],
  ],
  ['It is encrypted, belongs to one account and one collection', ['cursor.encrypted']],
  ['contains the filters and the position', ['filter.persists']],
  ['also after a restart, and any number of times', ['cursor.reused']],
  [
    'the service did not issue this text for this account and collection, or it was altered',
    ['cursor.altered', 'cursor.malformed', 'cursor.other-account'],
  ],
  ['the cursor is genuine, and its time has passed. The error has `resume`', ['cursor.expired']],
  [
    'a fault of each filter that is sent with the cursor and is not the one that it contains',
    ['cursor.other-filter', 'filter.time-zone.cursor'],
  ],
  ['The filters can be sent with the cursor again; the cursor alone is enough.', ['cursor.alone']],
  [
    'A caller that reads page after page to the end gets each item that exists at the beginning, and matches the filters until the end, exactly once',
    ['pages.at-most-once', 'pages.repeatable', 'pages.boundaries'],
  ],
  ['newest first: by `createdAt` descending', ['list.order.newest-first']],
  ['of the same millisecond by `reference` descending, compared byte by byte', ['list.order.ties']],
  ['Ten on each page; the size cannot be changed.', ['list.page-size.ten']],
  [
    'only this status: `pending`, `completed` or another one that the service has',
    ['status.*', 'filter.status.*'],
  ],
  [
    'only this currency: an active code of ISO 4217 (2026-01-01 or later) in capitals',
    ['currency.invalid.*', 'currency.accepted', 'filter.currency.*'],
  ],
  ['`detail` SHOULD name `USD` for `usd`', ['currency.hint']],
  ['created on this day or later', ['filter.from.*']],
  ['created on this day or earlier', ['filter.to.*']],
  [
    'the time zone whose [days](#times) are meant, such as `Europe/Berlin`, also without `from` and `to`; UTC if absent. A service MAY have it',
    ['filter.time-zone', 'filter.time-zone.invalid'],
  ],
  [
    'only this text, exactly. A service MAY have it',
    ['filter.merchant-reference', 'filter.merchant-reference.invalid'],
  ],
  ['Filters are combined.', ['filter.combined.*', 'filter.deep']],
  [
    '`from` and `to` are both inclusive, and either can be sent alone.',
    ['filter.day.*', 'filter.range.*', 'range.one-day.accepted'],
  ],
  ['`from` after `to` is 400 `date_range_inverted`, a fault of `from`.', ['range.inverted']],
  [
    'If both are sent, `to` is at most 90 days after `from`: 2026-01-01 to 2026-04-01 is accepted, 2026-04-02 is 400 `date_range_too_long`, a fault of `to`',
    ['range.ninety-days.accepted', 'range.ninety-one-days.refused'],
  ],
  [
    'whose `detail` SHOULD say how long the range is, the most, and which `to` would do',
    ['range.too-long.detail'],
  ],
  ['Without a range, the list is the whole history.', ['pages.no-default-window']],
  ['The response is 200 with `data`, `nextCursor` and `hasMore`', ['list.envelope.status']],
];

/** @param {string} id */
export const sentenceOf = (id) => SENTENCES.find(([, ids]) => ids.some((one) => isMatch(id, one)))?.[0];
