/** `unreachable` and `busy` are retried. `refused` means that the request is wrong. */
export type FailureKind =
  | 'unreachable'
  | 'signed-out'
  | 'cursor'
  | 'not-found'
  | 'refused'
  | 'busy'
  | 'script'
  | 'service';

export interface Failure {
  kind: FailureKind;
  title: string;
  detail: string;
  code?: string;
  requestId?: string;
  faults?: readonly { parameter: string; detail: string }[];
  retryAfterMs?: number;
}
