/*
 * The limits of the interface. Characters are Unicode code points. Lengths and counts are maximums, unless
 * the name says otherwise.
 *
 * Source: SPEC.md.
 */

// Requests.
export const MAX_URL_CHARACTERS = 4096;
export const MAX_BODY_BYTES = 16_384;
/** The most parameters of a request: far more than any operation has. */
export const MAX_PARAMETERS = 50;
export const CURSOR_MAX_CHARACTERS = 512;

// Lists and pages.
export const PAGE_SIZE = 10;
/** By how many days `to` of a list can be after `from`. */
export const MAX_RANGE_DAYS = 90;
/** The most items on a page that continues with `after`, and the default of `limit`. */
export const MAX_ITEMS = 1000;
export const DEFAULT_ITEMS = 100;
export const MAX_WAIT_SECONDS = 30;

// The search.
/**
 * The fewest characters of a searched text in Chinese, Japanese and Korean, where two form a word. Texts in
 * other scripts need three.
 */
export const TEXT_MIN_CHARACTERS = 2;
export const TEXT_MAX_CHARACTERS = 64;
/** The most transactions on a page of search results. */
export const MAX_FOUND = 100;

// Transactions.
/** The limit of both reference and merchantReference. */
export const REFERENCE_MAX_CHARACTERS = 255;
export const MAX_DETAILS = 16;
/** The most bytes that all details take as JSON. */
export const MAX_DETAILS_BYTES = 2048;
export const DETAIL_MAX_CHARACTERS = 255;

// Keys and sessions.
export const LABEL_MAX_CHARACTERS = 100;
export const PERSON_MAX_CHARACTERS = 128;
export const REASON_MAX_CHARACTERS = 255;
/** The longest time for which the old key works after a roll. */
export const MAX_GRACE_DAYS = 30;

// Webhooks.
/** The most endpoints of an account. */
export const MAX_WEBHOOKS = 20;
export const URL_MAX_CHARACTERS = 2048;
/** The most failures that are stored for an endpoint. An endpoint with this many delivers in order. */
export const MAX_FAILURES = 1000;

// The comparison with a bank's file.
/** A bank needs a few days; more than a month makes no sense. */
export const MAX_TOLERANCE_DAYS = 31;
