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
  /** Each wrong parameter, if there are several. */
  faults?: readonly { parameter: string; detail: string }[];
  /** Retry-After in milliseconds. */
  retryAfterMs?: number;
  /** With an expired cursor: the path and query that continue the list. */
  resume?: string;
}
