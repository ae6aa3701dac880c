import type { Fetch } from '../src/index.ts';

/**
 * A fetch that notes once when the service stops answering, and once when it answers again.
 *
 * `note` is called with a line.
 */
export function fetchWithOutageNotes(service: string, note: (line: string) => void): Fetch {
  let isAway = false;
  const noteOutage = (reason: string) => {
    if (!isAway) note(`The service at ${service} does not answer (${reason}). Trying again until it does.`);
    isAway = true;
  };
  return async (url, init) => {
    try {
      // After an outage, the first answer must not wait for a change.
      const response = await fetch(isAway ? url.replace(/\bwait=\d+/, 'wait=0') : url, init);
      const text = await response.text();
      const { status, headers } = response;
      if (isOutage(status)) {
        noteOutage(`status ${status}`);
      } else if (isAway) {
        isAway = false;
        note(`The service at ${service} answers again.`);
      }
      return { status, headers, text: async () => text };
    } catch (error) {
      const { name } = init.signal.reason ?? {};
      if (!init.signal.aborted) noteOutage(reasonOf(error));
      else if (name === 'RequestTimeoutError') noteOutage('no response in time');
      throw error;
    }
  };
}

/** The statuses that the client retries. */
function isOutage(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** Such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? 'the connection was lost';
}
