/* Characters are code points. Values are maximums, unless the name says otherwise. Source: SPEC.md. */

export const MAX_URL_CHARACTERS = 4096;
export const MAX_BODY_BYTES = 16_384;
export const MAX_PARAMETERS = 50;
export const CURSOR_MAX_CHARACTERS = 512;

export const PAGE_SIZE = 10;
/** `to` of a list can be at most this many days after `from`. */
export const MAX_RANGE_DAYS = 90;
export const MAX_ITEMS = 1000;
export const DEFAULT_ITEMS = 100;
export const MAX_WAIT_SECONDS = 30;

/** For a searched `text` with Chinese, Japanese or Korean characters. Any other `text` needs 3 characters. */
export const TEXT_MIN_CHARACTERS = 2;
export const TEXT_MAX_CHARACTERS = 64;
export const MAX_FOUND = 100;

export const REFERENCE_MAX_CHARACTERS = 255;
export const MAX_DETAILS = 16;
export const MAX_DETAILS_BYTES = 2048;
export const DETAIL_MAX_CHARACTERS = 255;

export const LABEL_MAX_CHARACTERS = 100;
export const PERSON_MAX_CHARACTERS = 128;
export const REASON_MAX_CHARACTERS = 255;
export const MAX_GRACE_DAYS = 30;

export const MAX_WEBHOOKS = 20;
export const URL_MAX_CHARACTERS = 2048;
/** An endpoint with this many failures gets one change at a time. */
export const MAX_FAILURES = 1000;

export const MAX_TOLERANCE_DAYS = 31;
