import { ArgumentError } from './errors.ts';
import {
  beginRequest,
  type Call,
  type FetchResponse,
  type RequestSettings,
  readText,
  refusal,
} from './request.ts';

export interface Answer {
  headers: FetchResponse['headers'];
  requestId: string;
  read(): Promise<Uint8Array | null>;
  close(): void;
}

interface AnswerOptions {
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

export async function openAnswer(
  settings: RequestSettings,
  call: Call,
  { signal, timeoutMs }: AnswerOptions,
): Promise<Answer> {
  signal?.throwIfAborted();
  const request = beginRequest(settings, call, signal);
  try {
    const response = await request.within(timeoutMs, request.fetch);
    if (response.status !== 200)
      throw refusal(await request.within(timeoutMs, () => readText(response, request)), settings);
    const reader = response.body?.getReader();
    if (reader === undefined)
      throw new ArgumentError('The fetch of the client returns no `body` stream, which exports need.');
    return {
      headers: response.headers,
      requestId: response.headers.get('request-id') ?? request.requestId,
      read: async () => {
        const { done, value } = await request.within(timeoutMs, () => reader.read());
        return done ? null : (value as Uint8Array);
      },
      close: () => {
        request.end();
        // A caller's fetch can ignore the signal of the request, so the reader is cancelled too.
        reader.cancel().catch(() => {});
      },
    };
  } catch (error) {
    request.end();
    throw error;
  }
}
