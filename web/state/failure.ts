/** Why the page has nothing to show: each kind has its own panel. */
export type FailureKind =
  | 'unreachable'
  | 'signed-out'
  | 'cursor'
  | 'not-found'
  | 'refused'
  | 'busy'
  | 'service';

/** A failure in the service's own words, where it had any. */
export interface Failure {
  kind: FailureKind;
  title: string;
  detail: string;
  code?: string;
  /** Names the request in the service's log. */
  requestId?: string;
  /** Each faulty parameter, where there are several. */
  faults?: readonly { parameter: string; detail: string }[];
  /** How long the service asks to wait. */
  retryAfterMs?: number;
  /** With an expired cursor: the request that goes on. */
  resume?: string;
}
