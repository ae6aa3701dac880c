import { Fragment } from 'preact';
import type { Api } from '../state/api.ts';
import { addressOf, type Filter, listRoute, queryOf } from '../state/route.ts';
import { useLoad } from '../state/use-load.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { addDays } from '../text/date-range.ts';
import { texts } from '../text/language.ts';
import { dayIn } from '../text/time.ts';
import { totalCount } from './totals-table.tsx';

/** In whole days. */
const AGES = [3, 7, 30];

interface PendingAgesProps {
  api: Api;
  /** The filter without its days. */
  filter: Filter;
  /** A new number sends the requests again. */
  visit: number;
}

/** How much has been pending for long, with the lists of it, by the day that they have as a filter. Nothing if there is none, or as long as that is unknown. */
export function PendingAges({ api, filter, visit }: PendingAgesProps) {
  const { zone } = useRoute();
  const today = dayIn(zone);
  // Created on the last of these days, it is older than the age at any time of today.
  const lists = AGES.map((age) => ({ ...filter, status: 'pending', to: addDays(today, -age - 1) }));
  const subject = `${JSON.stringify(lists)} ${zone}`;
  const { value: counts = [] } = useLoad(
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
    subject,
  );
  if (counts.length === 0) return null;
  return (
    <p class="pending-ages">
      {counts.map((count, index) => {
        const href = addressOf(listRoute(lists[index]), zone);
        return (
          <Fragment key={href}>
            {index > 0 && ' \u00b7 '}
            <a href={href} onClick={followLink}>
              {(index === 0 ? texts.$pendingOver : texts.$overDays)(AGES[index] as number, number(count))}
            </a>
          </Fragment>
        );
      })}
    </p>
  );
}
