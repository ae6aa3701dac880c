import type { ClientOptions } from '../src/index.ts';
import { outageReason } from './api-client.ts';

export function outageNotes(
  service: string,
  note: (line: string) => void,
): Required<Pick<ClientOptions, 'fetch' | 'onRetry' | 'onResponse'>> {
  let isAway = false;
  return {
    // During an outage, no request waits for changes, so the first answer comes as soon as the outage ends.
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
