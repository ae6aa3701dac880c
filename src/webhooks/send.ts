/** One POST to a receiver. */
export interface Attempt {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The time limit of the whole attempt: looking up the name, connecting, sending and receiving. */
  timeoutMs: number;
  /** Ends the attempt when it is aborted. */
  signal?: AbortSignal;
}

export interface SendResponse {
  /** Any status counts as a response, including a redirect, which is not followed. */
  status: number;
  /** The wait that `Retry-After` asks for, from now, without a limit; null if it is absent or malformed. */
  retryAfterMs: number | null;
}

interface SendFailure {
  /**
   * Why there is no response: a short text for the owner of the endpoint, which reveals nothing about the
   * network.
   */
  error: string;
}

export type SendResult = SendResponse | SendFailure;

/** Makes one attempt. It never rejects, and it resolves within `timeoutMs`. */
export type Send = (attempt: Attempt) => Promise<SendResult>;
