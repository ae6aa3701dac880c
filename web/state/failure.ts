/** Why the page cannot show a list or a transaction. */
export type FailureKind =
  | 'unreachable'
  | 'signed-out'
  | 'cursor'
  | 'not-found'
  | 'refused'
  | 'busy'
  | 'service';

/** A failure, with the texts of the service if it sent any. */
export interface Failure {
  kind: FailureKind;
  title: string;
  detail: string;
  code?: string;
  /** Identifies the request in the service's log. */
  requestId?: string;
  faults?: readonly { parameter: string; detail: string }[];
  /** Retry-After in milliseconds. */
  retryAfterMs?: number;
  /** The cursor that continues the list at the same place, if the other one is expired. */
  freshCursor?: string;
}
