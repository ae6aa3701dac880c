import { addDays } from '../../values/calendar.ts';
import { connect } from '../state/api.ts';
import { PENDING, PENDING_AGES, queryOf, REVIEWED_DAYS } from '../state/route.ts';
import { useCount } from '../state/use-count.ts';
import { useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { isDispute } from '../text/status.ts';
import { dayIn } from '../text/time.ts';

const [PENDING_DAYS] = PENDING_AGES;

export function LookAtMark({ apiKey }: { apiKey: string }) {
  const { zone, route } = useRoute();
  const count = useCount(async () => {
    const { signal } = new AbortController();
    const today = dayIn(zone);
    const [days, pending] = await Promise.all(
      [
        { from: addDays(today, 1 - REVIEWED_DAYS), to: today },
        { status: PENDING, to: addDays(today, -PENDING_DAYS - 1) },
      ].map((filter) => connect(apiKey).totals(queryOf(filter, zone), signal)),
    );
    const rows = [...(days?.data.filter(({ status }) => isDispute(status)) ?? []), ...(pending?.data ?? [])];
    return rows.reduce((all, row) => all + row.count, 0);
  });
  if (count === undefined && route.view === 'list') return <span class="bar-mark bar-mark-none" />;
  if (!count) return null;
  const text = texts.$lookAtCounts(REVIEWED_DAYS, PENDING_DAYS);
  return (
    <span class="bar-mark" title={text}>
      {number(count)}
      <span class="visually-hidden">: {text}</span>
    </span>
  );
}
