/** The status is 0 if there was no response. `isWhole` is false if the connection ended within the body. */
export interface Answer {
  request: string;
  status: number;
  headers: Headers;
  text: string;
  isWhole: boolean;
}

export interface Sent {
  method?: string;
  key?: string | undefined;
  body?: string;
  headers?: Record<string, string>;
  /** In characters of the body. */
  cutAfter?: number;
}

export const jsonOf = (body: object | undefined, headers: Record<string, string> = {}): Partial<Sent> =>
  body === undefined
    ? {}
    : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };

/** Longer than every time limit of the service, and longer than every suspension. */
const GIVE_UP_MS = 90_000;

export async function send(url: string, { method = 'GET', key, body, headers, cutAfter }: Sent) {
  const answer: Answer = {
    request: `${method} ${url}`,
    status: 0,
    headers: new Headers(),
    text: '',
    isWhole: false,
  };
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      signal: AbortSignal.timeout(GIVE_UP_MS),
      ...(body !== undefined && { body }),
    });
    answer.status = response.status;
    answer.headers = response.headers;
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const chunk of response.body ?? []) {
      answer.text += decoder.decode(chunk, { stream: true });
      if (cutAfter !== undefined && answer.text.length >= cutAfter) return answer;
    }
    answer.isWhole = true;
  } catch {
    // The connection was refused, was ended, or took too long.
  }
  return answer;
}

export const isToBeRepeated = ({ status, isWhole }: Answer): boolean =>
  !isWhole || status === 503 || status === 429;

export const queryOf = (parameters: Readonly<Record<string, string | number | null>>): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, String(value)]],
    ),
  ).toString();
