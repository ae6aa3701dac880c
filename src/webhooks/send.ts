export interface Attempt {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The limit of the whole attempt, from the lookup of the name to the end of the response. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface SendResponse {
  /** Any status counts as a response. A redirect is not followed. */
  status: number;
  /** The wait that Retry-After asks for, however long. Null if the header is absent or malformed. */
  retryAfterMs: number | null;
}

interface SendFailure {
  /** Shown to the owner of the endpoint, so it reveals nothing about the network of the service. */
  error: string;
}

export type SendResult = SendResponse | SendFailure;

/** Makes one attempt. It never rejects, and it resolves within `timeoutMs`. */
export type Send = (attempt: Attempt) => Promise<SendResult>;
