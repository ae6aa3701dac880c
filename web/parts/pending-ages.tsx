import { addDays } from '../../values/calendar.ts';
import type { TotalsRow } from '../state/api.ts';
import { addressOf, type Filter, listRoute, PENDING, PENDING_AGES, queryOf } from '../state/route.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { dayIn } from '../text/time.ts';
import { totalCount } from './totals-table.tsx';

interface PendingAgesProps {
  /** A filter without `from` and `to`. */
  filter: Filter;
  visit: number;
}

export interface PendingAge {
  /** The age in whole days. */
  age: number;
  href: string;
  totals: readonly TotalsRow[];
}

/** Each age means "at least this many days". */
export function usePendingAges({ filter, visit }: PendingAgesProps, days: readonly number[] = PENDING_AGES) {
  const api = useApi();
  const { zone } = useRoute();
  const today = dayIn(zone);
  // A transaction of the evening `age` days ago is not `age` days old yet. So `to` is one day earlier.
  const lists = days.map((age) => ({ ...filter, status: PENDING, to: addDays(today, -age - 1) }));
  const subject = `${JSON.stringify(lists)} ${zone}`;
  return useLoad(
    `${visit} ${subject}`,
    async (signal) => {
      const found: PendingAge[] = [];
      for (const [index, list] of lists.entries()) {
        const { data: totals } = await api.totals(queryOf(list, zone), signal);
        if (totals.length === 0) break;
        found.push({ age: days[index] as number, href: addressOf(listRoute(list), zone), totals });
      }
      return found;
    },
    subject,
  );
}

export function PendingAges(props: PendingAgesProps) {
  const [overdue] = usePendingAges(props, PENDING_AGES.slice(0, 1)).value ?? [];
  if (overdue === undefined) return null;
  return (
    <p class="pending-ages">
      <a href={overdue.href} onClick={followLink}>
        {texts.$pendingOver(overdue.age, number(totalCount(overdue.totals)))}
      </a>
    </p>
  );
}
