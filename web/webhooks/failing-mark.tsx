import { useEffect, useRef, useState } from 'preact/hooks';
import { listEndpoints } from '../../client/src/list-endpoints.ts';
import { createSend } from '../../client/src/send.ts';
import { SOON, settingsOf } from '../state/settings.ts';
import { useRoute } from '../state/use-route.ts';
import { formOf, number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { isFailing } from './condition.ts';

/** How many endpoints fail. It is requested when the list is opened or refreshed, and not with other filters or pages. */
export function FailingMark({ apiKey }: { apiKey: string }) {
  const { route, visit } = useRoute();
  const [count, setCount] = useState(0);
  const listed = useRef('');
  useEffect(() => {
    const before = listed.current;
    listed.current = route.view === 'list' ? JSON.stringify(route) : '';
    if (listed.current === '' || (before !== '' && before !== listed.current)) return;
    // After the list itself. A failure is left to what the user waits for.
    Promise.resolve()
      .then(() => listEndpoints(createSend(settingsOf(apiKey, SOON)), {}))
      .then(
        (endpoints) => setCount(endpoints.filter(isFailing).length),
        () => setCount(0),
      );
  }, [visit, route.view]);
  if (count === 0 || route.view === 'webhooks') return null;
  return (
    <span class="bar-mark">
      {number(count)}
      <span class="visually-hidden">{formOf(count, texts.$fails)}</span>
    </span>
  );
}
