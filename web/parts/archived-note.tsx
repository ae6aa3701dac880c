import type { Api } from '../state/api.ts';
import { useLoad } from '../state/use-load.ts';
import { useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { dayText } from '../text/month.ts';

/** Says that what is shown lacks archived transactions. */
export const ArchivedNote = ({ archivedBefore }: { archivedBefore: string | undefined }) =>
  archivedBefore === undefined ? null : <p class="help">{texts.$archivedBefore(dayText(archivedBefore))}</p>;

/** An ArchivedNote for results that were searched in all days. */
export function ArchivedOfAccount({ api }: { api: Api }) {
  const { zone } = useRoute();
  const { loaded } = useLoad(zone, (signal) => api.totals({ timeZone: zone }, signal));
  return loaded.state === 'loaded' ? <ArchivedNote archivedBefore={loaded.value.archivedBefore} /> : null;
}
