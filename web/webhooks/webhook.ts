/** An endpoint, as the API returns it. */
export interface Webhook {
  id: string;
  url: string;
  /** Null for all types. */
  types: readonly string[] | null;
  label: string | null;
  ordered: boolean;
  state: 'enabled' | 'disabled';
  disabledReason: string | null;
  disabledAt: string | null;
  createdAt: string;
  acknowledgedSequence: number;
  /** The number of the account's last change. */
  headSequence: number;
  failures: number;
  failingSince: string | null;
}

export interface WebhookFailure {
  sequence: number;
  attempts: number;
  firstFailedAt: string;
  lastFailedAt: string;
  nextAttemptAt: string | null;
  responseStatus: number | null;
  error: string;
}

export interface FailurePage {
  data: readonly WebhookFailure[];
  hasMore: boolean;
}

export interface TestResult {
  delivered: boolean;
  status: number | null;
  error: string | null;
  durationMs: number;
}
