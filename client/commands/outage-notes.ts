import type { ClientOptions } from '../src/index.ts';
import { outageReason } from './api-client.ts';

export function outageNotes(
  service: string,
  note: (line: string) => void,
): Required<Pick<ClientOptions, 'fetch' | 'onRetry' | 'onResponse'>> {
  let isAway = false;
  return {
    // During an outage, requests ask the service not to wait for changes. Otherwise, the end of the outage
    // would be noticed late.
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
