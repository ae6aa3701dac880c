/** The kinds of reasons why the page cannot show a list or a transaction. */
export type FailureKind =
  | 'unreachable'
  | 'signed-out'
  | 'cursor'
  | 'not-found'
  | 'refused'
  | 'busy'
  | 'script'
  | 'service';

/** A failure. If the service sent texts, these are used. */
export interface Failure {
  kind: FailureKind;
  title: string;
  detail: string;
  code?: string;
  /** The id of the request in the service's log. */
  requestId?: string;
  faults?: readonly { parameter: string; detail: string }[];
  retryAfterMs?: number;
  /** If the cursor has expired, the cursor that continues at the same place. */
  freshCursor?: string;
}
