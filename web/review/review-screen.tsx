import { useEffect } from 'preact/hooks';
import { addDays, dayNumber, monthOf } from '../../src/values/day-text.ts';
import { Button } from '../parts/button.tsx';
import { DaysFields } from '../parts/days-fields.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import { announce } from '../state/announce.ts';
import type { Api } from '../state/api.ts';
import { addressOf, type DaysRoute, describeFilter, type Filter, reviewRoute } from '../state/route.ts';
import { useHeading } from '../state/title.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { counted, number } from '../text/count.ts';
import { isInverted } from '../text/date-range.ts';
import { texts as page } from '../text/language.ts';
import { dayIn, timeParts } from '../text/time.ts';
import { Found } from './found.tsx';
import type { DaysFilter } from './load-findings.ts';
import { PendingByAge } from './pending-by-age.tsx';
import { texts } from './texts.ts';
import { useReview } from './use-review.ts';

interface ReviewScreenProps {
  api: Api;
  apiKey: string;
  route: DaysRoute;
}

const USUAL_DAYS = 30;

/** What a person should look at: of some days, and what has been pending for long. */
export function ReviewScreen({ api, apiKey, route }: ReviewScreenProps) {
  const { zone, visit } = useRoute();
  const today = dayIn(zone);
  const filter = filterOf(route.filter, today);
  const hasDays =
    [filter.from, filter.to].every((day) => dayNumber(day) !== undefined) &&
    !isInverted(filter.from, filter.to);
  const { stage, cancel, again } = useReview(apiKey, hasDays ? filter : undefined, zone);
  const described = describeFilter(filter, zone);
  useHeading(page.$lookAt);
  const readAt =
    stage.state === 'found' &&
    texts.$readAt(
      counted(stage.findings.count, page.$transaction),
      timeParts(new Date(stage.atMs).toISOString(), zone).time.slice(0, 5),
    );
  useEffect(() => {
    if (readAt) announce(readAt);
  }, [readAt]);
  return (
    <main id="main" class="days-screen review">
      <div class="heading">
        <h1 tabIndex={-1}>{page.$lookAt}</h1>
        <p class="heading-filter">{described}</p>
        <ZoneSwitch />
      </div>
      <p class="days-intro">{texts.$intro}</p>
      <div class="review-days">
        <DaysFields view="review" legend={texts.$days} filter={filter} />
        <p class="presets">
          {presets(today).map(([name, range]) => (
            <a
              key={name}
              href={addressOf({ view: 'review', filter: { ...filter, ...range } }, zone)}
              aria-current={filter.from === range.from && filter.to === range.to ? 'true' : undefined}
              onClick={followLink}
            >
              {name}
            </a>
          ))}
        </p>
      </div>
      {!hasDays ? (
        <p class="days-problem" role="alert">
          {texts.$noDays}
        </p>
      ) : stage.state === 'reading' ? (
        <section class="review-part review-running" aria-label={texts.$running}>
          <p id="review-progress">
            {stage.all === null
              ? texts.$reading(number(stage.count))
              : texts.$readingOf(number(stage.count), number(stage.all))}
          </p>
          <progress aria-labelledby="review-progress" value={stage.count} max={stage.all ?? undefined} />
          <Button onClick={cancel}>{texts.$cancel}</Button>
        </section>
      ) : stage.state === 'failed' ? (
        <FailurePanel failure={stage.failure} retry={undefined} onRetry={again} />
      ) : (
        <>
          <p class="review-read">
            {readAt || texts.$cancelled} <Button onClick={again}>{texts.$again}</Button>
          </p>
          {stage.state === 'found' && <Found api={api} filter={filter} findings={stage.findings} />}
        </>
      )}
      {/* One cause is said once. */}
      {!(stage.state === 'failed' && stage.failure.kind === 'unreachable') && (
        <PendingByAge api={api} currency={filter.currency} visit={visit} />
      )}
    </main>
  );
}

const presets = (today: string): [name: string, range: { from: string; to: string }][] => [
  [page.$thisMonth, { from: monthOf(today).from, to: today }],
  [page.$lastMonth, monthOf(today, -1)],
  [page.$lastDays(USUAL_DAYS), { from: addDays(today, 1 - USUAL_DAYS), to: today }],
];

/** The filter of the address, with the last days if it has none. */
function filterOf(filter: Filter, today: string): DaysFilter {
  const { to = today, from = addDays(to, 1 - USUAL_DAYS) } = filter;
  return { ...reviewRoute(filter).filter, from, to };
}
