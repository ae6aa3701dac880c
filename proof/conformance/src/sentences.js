import { isMatch } from './is-match.js';

/**
 * Quoted from SPEC.md, with the ids of the checks. A `*` at the end of an id matches any ending.
 * @type {[sentence: string, ids: string[]][]}
 */
const SENTENCES = [
  [
    'In a response, it is an object with these fields:',
    ['transaction.fields', 'transaction.no-other-fields'],
  ],
  ['1 to 64 characters of `A-Z a-z 0-9 . _ -`', ['transaction.reference.form']],
  [
    '1 to 255 characters (code points), without control characters and U+FFFD.',
    ['transaction.merchant-reference.form'],
  ],
  ['an active code of ISO 4217: three capital letters', ['transaction.currency.form']],
  ['when the transaction was created', ['transaction.created-at.form']],
  ['of the payment; null while the transaction is not paid', ['transaction.paid-at.form']],
  [
    '`reference`, `merchantReference`, `amount`, `currencyCode`, `createdAt` and `relatedTo` never change.',
    ['pages.unchanging'],
  ],
  ['`pending` means not yet paid: `paidAt` is null.', ['transaction.paid-at.pending']],
  ['`completed` means paid: `paidAt` is a time.', ['transaction.paid-at.completed']],
  [
    'A status is a lower-case letter and up to 31 characters of `a-z 0-9 _`, and is compared exactly.',
    ['transaction.status.recognized'],
  ],
  ['An amount is a decimal number with exactly two decimals, in every currency', ['transaction.amount.form']],
  ['A **day** is written `YYYY-MM-DD`, in the years 0001 to 9999.', ['date.invalid']],
  ['`HEAD` is answered like `GET`, without the body.', ['method.head']],
  [
    'A method that a path does not have gets 405 `method_not_allowed`, with `Allow`.',
    ['method.not-allowed', 'method.safe'],
  ],
  ['A path that does not exist gets 404 `not_found`.', ['path.not-found']],
  ['A request target of up to 4,096 characters is accepted.', ['problem.too-large']],
  ['A query is read as `application/x-www-form-urlencoded` in UTF-8', ['parameter.encoding']],
  [
    'An unknown parameter gets 400 `unknown_parameter`, whatever its value and however often it is sent.',
    ['parameter.unknown'],
  ],
  [
    '`detail` SHOULD name the nearest known parameter. For `limit` and similar names, it SHOULD also say the page size.',
    ['parameter.unknown.nearest'],
  ],
  [
    'A parameter that is sent twice gets one fault, 400 `duplicate_parameter`, whatever its values.',
    ['parameter.duplicate'],
  ],
  ['An empty value is an invalid value, not an absent one.', ['parameter.empty']],
  ['All faults of a request are reported together.', ['fault.several', 'cursor.beside-faults']],
  ['The body of a response is `application/json` too', ['list.envelope.json']],
  ['identifies the request for its operator', ['headers.request-id']],
  ['on every response under `/v1`', ['headers.no-store']],
  ['SHOULD be there if the key has a limit', ['headers.rate-limit']],
  ['A key belongs to one account: nothing of another account is ever in a response.', ['pages.foreign']],
  [
    'the header is absent, has another scheme, or has no key after `Bearer`.',
    ['auth.missing', 'auth.scheme'],
  ],
  ['the key is unknown, misspelt, revoked or expired. The response does not say which.', ['auth.invalid']],
  ['the key does not have the scope that the operation needs', ['keys.scopes']],
  ['With a wrong key, no fault of parameters or body is reported.', ['auth.before-faults']],
  [
    'It returns what the key is for: `account`, `id`, `kind` (`key`, or `session` for the key of a [person](#sessions)), `person` (null for a key), `scopes` and `expiresAt` (a time or null).',
    ['auth.own-key'],
  ],
  [
    'Every response with a status of 400 or more has the content type `application/problem+json`',
    ['problem.content-type', 'problem.fields', 'problem.framework'],
  ],
  ['of a page that explains the error. The page SHOULD need no key', ['problem.type-page']],
  ['the same sentence for every error of this kind', ['problem.title']],
  ['identifies the kind of error, for programs', ['problem.codes']],
  ['what is wrong, and what would be right', ['problem.no-internals', 'auth.not-echoed']],
  ['If one parameter is faulty, `code` is the code of its fault.', ['fault.each']],
  ['sends it again after `Retry-After`', ['headers.unavailable']],
  [
    'A request beyond a limit of its key or account gets 429, with `Retry-After` if waiting helps.',
    ['headers.rate-limited'],
  ],
  ['`data`: an array of the items, in an order that does not change.', ['list.envelope.fields']],
  ['Every collection is returned in pages: an object with', ['list.envelope.no-other-fields']],
  ['null on the last page', ['list.envelope.last-page', 'list.envelope.empty']],
  ['If a page has a `nextCursor`, and only then, it has two headers:', ['headers.link.last-page']],
  ['1 second to 30 days ahead', ['cursor.expires-header']],
  ['It SHOULD be later on each page.', ['cursor.fresh']],
  [
    '`Link: <...>; rel="next"` has the URL reference of the next page. Like every URL reference, it is resolved against the URL of the request',
    ['headers.link'],
  ],
  [
    'It has at most 512 characters of `A-Z a-z 0-9 - _`, and no other text stands for the same cursor.',
    ['cursor.form', 'cursor.canonical', 'filter.merchant-reference.long'],
  ],
  ['A cursor is opaque and encrypted.', ['cursor.encrypted']],
  ['contains the filters and the position', ['filter.persists']],
  ['also after a restart, and any number of times', ['cursor.reused']],
  [
    'the service did not issue this text for this account and collection, or it was altered',
    ['cursor.altered', 'cursor.malformed', 'cursor.other-account'],
  ],
  ['the cursor is genuine, but its time has passed. The error has `resume`', ['cursor.expired']],
  [
    'a filter that is sent differs from the filter in the cursor',
    ['cursor.other-filter', 'filter.time-zone.cursor'],
  ],
  ['The cursor alone is enough, but the filters can be sent with it again.', ['cursor.alone']],
  [
    'A caller that reads all pages gets an item exactly once, if the item exists at the beginning and matches the filters until the end.',
    ['pages.at-most-once', 'pages.repeatable', 'pages.boundaries'],
  ],
  ['newest first: by `createdAt` descending', ['list.order.newest-first']],
  ['within a millisecond by `reference` descending, compared byte by byte.', ['list.order.ties']],
  ['Each page has ten; the size cannot be changed.', ['list.page-size.ten']],
  [
    'only this status: `pending`, `completed` or another status of the service',
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
    'the time zone of the [days](#times), such as `Europe/Berlin`; UTC if absent. It can be sent without `from` and `to`. A service MAY have it',
    ['filter.time-zone', 'filter.time-zone.invalid'],
  ],
  [
    'only exactly this text. A service MAY have it.',
    ['filter.merchant-reference', 'filter.merchant-reference.invalid'],
  ],
  ['All filters must match.', ['filter.combined.*', 'filter.deep']],
  [
    '`from` and `to` are inclusive, and each can be sent without the other.',
    ['filter.day.*', 'filter.range.*', 'range.one-day.accepted'],
  ],
  ['If `from` is after `to`, `from` gets the fault 400 `date_range_inverted`.', ['range.inverted']],
  [
    'If `from` is 2026-01-01, the `to` 2026-04-01 is accepted, and the `to` 2026-04-02 gets the fault 400 `date_range_too_long`.',
    ['range.ninety-days.accepted', 'range.ninety-one-days.refused'],
  ],
  [
    '`detail` SHOULD say how long the range is, the maximum, and the latest valid `to`.',
    ['range.too-long.detail'],
  ],
  ["Returns the account's transactions, newest first", ['pages.no-default-window']],
  ['The response is 200 with a [page](#pages).', ['list.envelope.status']],
];

/** @param {string} id */
export const sentenceOf = (id) => SENTENCES.find(([, ids]) => ids.some((one) => isMatch(id, one)))?.[0];
