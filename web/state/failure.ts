/**
 * `unreachable` and `busy` (overload, a rate limit or a late response) are retried. `cursor`: the cursor has
 * expired or was altered. `refused`: the request is wrong. `script`: a script of the page did not load.
 * `service`: the service or a proxy failed.
 */
export type FailureKind =
  | 'unreachable'
  | 'signed-out'
  | 'cursor'
  | 'not-found'
  | 'refused'
  | 'busy'
  | 'script'
  | 'service';

/** The texts are from the service, if the service sent any. */
export interface Failure {
  kind: FailureKind;
  title: string;
  detail: string;
  code?: string;
  /** The id of the request in the service's log. */
  requestId?: string;
  faults?: readonly { parameter: string; detail: string }[];
  retryAfterMs?: number;
  /** If the cursor has expired, this cursor continues at the same place. */
  freshCursor?: string;
}
