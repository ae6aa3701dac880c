import { FailurePanel } from '../parts/failure-panel.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import type { Transaction } from '../state/api.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { statusWord } from '../text/status.ts';

export function Timeline({ transaction: { reference, status } }: { transaction: Transaction }) {
  const api = useApi();
  const { loaded, reload } = useLoad(`${reference} ${status}`, (signal) => api.changes(reference, signal));
  return (
    <section class="card timeline" aria-labelledby="timeline" aria-busy={loaded.state === 'loading'}>
      <h2 id="timeline">{texts.$recordedBy}</h2>
      {loaded.state === 'failed' && (
        <FailurePanel
          missing={texts.$changesFailed}
          again={texts.$loadChanges}
          {...loaded}
          onRetry={reload}
        />
      )}
      {loaded.state === 'loaded' && (
        <ol>
          {loaded.value.map(({ recordedAt, sequence, previousStatus, transaction: recorded }) => (
            <li key={sequence} class="event">
              <span class="event-name">
                {(previousStatus === null ? texts.$firstAs : texts.$thenAs)(statusWord(recorded.status))}
              </span>
              <Timestamp timestamp={recordedAt} isWhole />
              <span class="event-change">{texts.$changeNumber(number(sequence))}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
