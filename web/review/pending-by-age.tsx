import { Amount } from '../parts/amount.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { usePendingAges } from '../parts/pending-ages.tsx';
import { totalCount } from '../parts/totals-table.tsx';
import type { Api } from '../state/api.ts';
import { followLink } from '../state/use-route.ts';
import { unitText } from '../text/age.ts';
import { number } from '../text/count.ts';
import { texts as page } from '../text/language.ts';
import { Part } from './part.tsx';
import { texts } from './texts.ts';

interface PendingByAgeProps {
  api: Api;
  currency: string | undefined;
  visit: number;
}

/** Transactions of all days that have been pending for long, with links to their lists. */
export function PendingByAge({ api, currency, visit }: PendingByAgeProps) {
  const {
    loaded,
    value: ages,
    reload,
  } = usePendingAges({
    api,
    filter: currency === undefined ? {} : { currency },
    visit,
  });
  if (loaded.state === 'failed')
    return (
      <section class="review-part" aria-label={texts.$pendingByAge}>
        <FailurePanel missing={page.$totalsFailed} again={page.$loadTotals} {...loaded} onRetry={reload} />
      </section>
    );
  return (
    <Part
      name="pending"
      title={texts.$pendingByAge}
      count={ages && totalCount(ages[0]?.totals ?? [])}
      help={texts.$pendingHelp}
    >
      {ages && ages.length > 0 && (
        <table class="review-ages">
          <caption class="visually-hidden">{texts.$pendingByAge}</caption>
          <thead>
            <tr>
              <th scope="col">{page.$age}</th>
              <th scope="col">{page.$count}</th>
              <th scope="col">{texts.$sum}</th>
            </tr>
          </thead>
          <tbody>
            {ages.map(({ age, href, totals }) => (
              <tr key={age}>
                <th scope="row">{texts.$over(unitText(age, 'day'))}</th>
                <td>
                  <a href={href} onClick={followLink}>
                    {number(totalCount(totals))}
                  </a>
                </td>
                <td>
                  {totals.map(({ currencyCode, amount }) => (
                    <Amount key={currencyCode} amount={amount} currencyCode={currencyCode} />
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  );
}
