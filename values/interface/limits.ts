/*
 * The limits of the interface. Characters are Unicode code points; lengths and counts are the largest
 * allowed, unless a name says otherwise.
 *
 * Source: SPEC.md.
 */

// Requests.
export const MAX_URL_CHARACTERS = 4096;
export const MAX_BODY_BYTES = 16_384;
/** Far more than any operation has. */
export const MAX_PARAMETERS = 50;
export const CURSOR_MAX_CHARACTERS = 512;

// Lists and pages.
export const PAGE_SIZE = 10;
/** `to` can be this many days after `from` in a list. */
export const MAX_RANGE_DAYS = 90;
/** The most items of a page that continues with `after`, and their number without the parameter `limit`. */
export const MAX_ITEMS = 1000;
export const DEFAULT_ITEMS = 100;
export const MAX_WAIT_SECONDS = 30;

// The search.
/** Two characters are a word in Chinese, Japanese and Korean. Texts of other scripts need three. */
export const TEXT_MIN_CHARACTERS = 2;
export const TEXT_MAX_CHARACTERS = 64;
/** Transactions of a page of the search. */
export const MAX_FOUND = 100;

// Transactions.
/** Of a reference and of a merchantReference. */
export const REFERENCE_MAX_CHARACTERS = 255;
export const MAX_DETAILS = 16;
/** The most bytes of all details as JSON. */
export const MAX_DETAILS_BYTES = 2048;
export const DETAIL_MAX_CHARACTERS = 255;

// Keys and sessions.
export const LABEL_MAX_CHARACTERS = 100;
export const PERSON_MAX_CHARACTERS = 128;
export const REASON_MAX_CHARACTERS = 255;
/** How long the old key works after a roll. */
export const MAX_GRACE_DAYS = 30;

// Webhooks.
/** Endpoints of an account. */
export const MAX_WEBHOOKS = 20;
export const URL_MAX_CHARACTERS = 2048;
/** The most failures that are stored for an endpoint. At this number, it delivers in order. */
export const MAX_FAILURES = 1000;

// The comparison with a bank's file.
/** A bank needs a few days. More than a month makes no sense. */
export const MAX_TOLERANCE_DAYS = 31;
