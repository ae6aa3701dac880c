import { fromMinorUnits } from '../../client/src/amount.ts';
import { Amount } from '../parts/amount.tsx';
import { useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { labels } from '../text/labels.ts';
import { texts } from '../text/language.ts';
import { rangeText } from '../text/month.ts';
import { capital } from '../text/status.ts';
import type { Period, Periods } from './periods.ts';

interface PeriodTableProps extends Periods {
  before?: readonly Period[] | undefined;
  currency: string;
  label: string;
}

export function PeriodTable({ unit, periods, before, currency, label }: PeriodTableProps) {
  const { zone } = useRoute();
  const rows = periods
    .map((period, index) => ({ period, earlier: before?.[index] }))
    .filter(({ period, earlier }) => period.count + (earlier?.count ?? 0) > 0)
    .reverse();
  const amount = ({ amountMinor }: Period) => (
    <Amount amount={fromMinorUnits(amountMinor)} currencyCode={currency} />
  );
  return (
    <div class="chart-table" role="region" tabIndex={0} aria-label={texts.$asTable(label)}>
      <table class="totals-table">
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">
              {capital(texts.$units[unit])} ({zone})
            </th>
            <th scope="col">{texts.$count}</th>
            <th scope="col">{labels.amount}</th>
            {before && (
              <>
                <th scope="col">{texts.$comparedWith}</th>
                <th scope="col">{labels.amount}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ period, earlier }) => (
            <tr key={period.from}>
              <th scope="row">{rangeText(period)}</th>
              <td>{number(period.count)}</td>
              <td>{amount(period)}</td>
              {earlier && (
                <>
                  <td>{rangeText(earlier)}</td>
                  <td>{amount(earlier)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
