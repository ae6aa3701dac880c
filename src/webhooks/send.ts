/** One POST to a receiver. */
export interface Attempt {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** For all of it: the lookup of the name, the connection, the request and the response. */
  timeoutMs: number;
  /** Ends the attempt. */
  signal?: AbortSignal;
}

export interface SendResponse {
  /** Any status is a response. A redirect is one too: it is not followed. */
  status: number;
  /** The wait of `Retry-After` from now; null if it is absent or malformed. It is not bounded here. */
  retryAfterMs: number | null;
}

interface SendFailure {
  /**
   * The reason for a missing response: a short text for the owner of the endpoint, which reveals nothing
   * about the network.
   */
  error: string;
}

export type SendResult = SendResponse | SendFailure;

/** Makes one attempt. It never rejects, and it resolves within `timeoutMs`. */
export type Send = (attempt: Attempt) => Promise<SendResult>;
