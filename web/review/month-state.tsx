import { FailurePanel } from '../parts/failure-panel.tsx';
import { totalCount } from '../parts/totals-table.tsx';
import { addressOf, isByPayment, listRoute, pendingList, queryOf } from '../state/route.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { texts as page } from '../text/language.ts';
import { daysInCurrency, nameOfDays } from '../text/month.ts';
import { capital } from '../text/status.ts';
import type { DaysFilter } from './load-findings.ts';
import { texts } from './texts.ts';

interface MonthStateProps {
  filter: DaysFilter;
  pending: number;
  isOver: boolean;
}

export function MonthState({ filter, pending, isOver }: MonthStateProps) {
  const api = useApi();
  const { zone } = useRoute();
  const isPaid = isByPayment(filter);
  const list = pendingList(filter);
  const { loaded, value, reload } = useLoad(JSON.stringify([list, zone]), async (signal) =>
    isPaid ? totalCount((await api.totals(queryOf(list, zone), signal)).data) : 0,
  );
  if (loaded.state === 'failed')
    return (
      <section class="review-part review-state">
        <FailurePanel missing={page.$totalsFailed} again={page.$loadTotals} {...loaded} onRetry={reload} />
      </section>
    );
  const count = isPaid ? value : pending;
  if (count === undefined) return null;
  const isFinished = isOver && count === 0;
  const name = nameOfDays(filter.from, filter.to);
  const days = name && capital(daysInCurrency(name, filter.currency));
  return (
    <section class={`review-part review-state ${isFinished ? 'review-finished' : ''}`}>
      <h2>{isFinished ? page.$isFinished(days) : page.$isOpen(days, '')}</h2>
      {!isOver && <p>{texts.$notOver}</p>}
      {isFinished && <p>{isPaid ? texts.$nonePending : texts.$finished}</p>}
      {count > 0 && (
        <p>
          <a href={addressOf(listRoute(list), zone)} onClick={followLink}>
            {(isPaid ? texts.$canBePaid : texts.$stillPending)(number(count))}
          </a>
        </p>
      )}
    </section>
  );
}
