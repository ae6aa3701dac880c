import { listEndpoints } from '../../client/src/list-endpoints.ts';
import { createSend } from '../../client/src/send.ts';
import { SOON, settingsOf } from '../state/settings.ts';
import { useCount } from '../state/use-count.ts';
import { useRoute } from '../state/use-route.ts';
import { formOf, number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { isFailing } from './condition.ts';

export function FailingMark({ apiKey }: { apiKey: string }) {
  const { view } = useRoute().route;
  const count = useCount(async () => {
    const endpoints = await listEndpoints(createSend(settingsOf(apiKey, SOON)), {});
    return endpoints.filter(isFailing).length;
  });
  if (!count || view === 'webhooks') return null;
  return (
    <span class="bar-mark bar-mark-bad">
      {number(count)}
      <span class="visually-hidden">{formOf(count, texts.$fails)}</span>
    </span>
  );
}
