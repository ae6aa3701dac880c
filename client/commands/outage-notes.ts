import type { ClientOptions } from '../src/index.ts';
import { outageReason } from './api-client.ts';

export function outageNotes(
  service: string,
  note: (line: string) => void,
): Required<Pick<ClientOptions, 'fetch' | 'onRetry' | 'onResponse'>> {
  let isAway = false;
  return {
    // With `wait=25`, the first answer after an outage could take 25 seconds, and the note would be late.
    fetch: (url, init) => fetch(isAway ? url.replace(/\bwait=\d+/, 'wait=0') : url, init),
    onRetry: ({ error }) => {
      if (!isAway)
        note(
          `The service at ${service} does not answer (${outageReason(error)}). Trying again until it does.`,
        );
      isAway = true;
    },
    onResponse: ({ status }) => {
      if (!isAway || status === 408 || status === 429 || status >= 500) return;
      isAway = false;
      note(`The service at ${service} answers again.`);
    },
  };
}
