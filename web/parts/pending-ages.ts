import { h } from 'preact';
import type { Api } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { addressOf, type Filter, listRoute, queryOf } from '../state/route.ts';
import { useLoad } from '../state/use-load.ts';
import { followLink } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { addDays } from '../text/date-range.ts';
import { dayIn } from '../text/time.ts';
import { totalCount } from './totals-table.ts';

/** In whole days. */
const AGES = [3, 7, 30];

interface PendingAgesProps {
  api: Api;
  /** The filter without its days. */
  filter: Filter;
  zone: string;
  /** A new number sends the requests again. */
  visit: number;
  onFailure(failure: Failure): void;
}

/** How much has been pending for long, with the lists of it, by the day that they have as a filter. Nothing if there is none, or as long as that is unknown. */
export function PendingAges({ api, filter, zone, visit, onFailure }: PendingAgesProps) {
  const today = dayIn(zone);
  // Created on the last of these days, it is older than the age at any time of today.
  const lists = AGES.map((age) => ({ ...filter, status: 'pending', to: addDays(today, -age - 1) }));
  const subject = `${JSON.stringify(lists)} ${zone}`;
  const { loaded } = useLoad(
    `${visit} ${subject}`,
    async (signal) => {
      const counts: number[] = [];
      for (const list of lists) {
        const { data } = await api.totals(queryOf(list, zone), signal);
        const count = totalCount(data);
        // What is older is part of it.
        if (count === 0) break;
        counts.push(count);
      }
      return counts;
    },
    onFailure,
    subject,
  );
  const counts = loaded.state === 'loaded' ? loaded.value : loaded.state === 'loading' ? loaded.previous : [];
  if (counts === undefined || counts.length === 0) return null;
  return h(
    'p',
    { class: 'pending-ages' },
    'Pending, created until ',
    counts.map((count, index) => {
      const href = addressOf(listRoute(lists[index]), zone);
      return [
        index > 0 && ' \u00b7 ',
        h('a', { href, onClick: followLink, key: index }, `${lists[index]?.to}: ${number(count)}`),
      ];
    }),
  );
}
