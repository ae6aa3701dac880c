import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { dayText } from '../text/month.ts';

export const ArchivedNote = ({ archivedBefore }: { archivedBefore: string | undefined }) =>
  archivedBefore === undefined ? null : <p class="help">{texts.$archivedBefore(dayText(archivedBefore))}</p>;

export function ArchivedOfAccount() {
  const api = useApi();
  const { zone } = useRoute();
  const { loaded } = useLoad(zone, (signal) => api.totals({ timeZone: zone }, signal));
  return loaded.state === 'loaded' ? <ArchivedNote archivedBefore={loaded.value.archivedBefore} /> : null;
}
