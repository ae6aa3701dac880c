import { addDays, monthAt, parseDay } from '../../values/days.ts';
import { DaysFields } from '../parts/days-fields.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import type { Api } from '../state/api.ts';
import {
  addressOf,
  changesRoute,
  type DaysRoute,
  describeFilter,
  type Filter,
  REVIEWED_DAYS,
  reviewRoute,
} from '../state/route.ts';
import { useHeading } from '../state/title.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { isInverted } from '../text/date-range.ts';
import { texts as page } from '../text/language.ts';
import { dayIn } from '../text/time.ts';
import { ChangesScreen } from './changes-screen.tsx';
import { DaysLinks } from './days-links.tsx';
import { Found } from './found.tsx';
import { type DaysFilter, loadFindings } from './load-findings.ts';
import { PendingByAge } from './pending-by-age.tsx';
import { Read } from './read.tsx';
import { texts } from './texts.ts';
import { useReading } from './use-reading.ts';

interface ReviewScreenProps {
  api: Api;
  apiKey: string;
  account: string;
  route: DaysRoute;
}

/** Transactions to look at: of some days, and long pending ones; or the changes since a day. */
export const ReviewScreen = (props: ReviewScreenProps) =>
  props.route.view === 'changes' ? <ChangesScreen {...props} /> : <DaysScreen {...props} />;

function DaysScreen({ api, apiKey, route }: ReviewScreenProps) {
  const { zone, visit } = useRoute();
  const today = dayIn(zone);
  const filter = filterOf(route.filter, today);
  const hasDays =
    [filter.from, filter.to].every((day) => parseDay(day) !== undefined) &&
    !isInverted(filter.from, filter.to);
  const reading = useReading(
    `${zone} ${JSON.stringify(filter)}`,
    hasDays ? (signal, onProgress) => loadFindings(apiKey, filter, zone, signal, onProgress) : undefined,
  );
  const { stage } = reading;
  useHeading(page.$lookAt);
  return (
    <main id="main" class="days-screen review">
      <div class="heading">
        <h1 tabIndex={-1}>{page.$lookAt}</h1>
        <p class="heading-filter">{describeFilter(filter, zone)}</p>
        <ZoneSwitch />
      </div>
      <p class="days-intro">
        {texts.$intro}{' '}
        <a href={addressOf(changesRoute(filter), zone)} onClick={followLink}>
          {texts.$changedSinceYesterday}
        </a>
      </p>
      <div class="review-days">
        <DaysFields view="review" legend={texts.$days} filter={filter} />
        <DaysLinks
          links={presets(today).map(
            ([name, days]) => [name, { view: 'review', filter: { ...filter, ...days } }] as const,
          )}
          shown={{ view: 'review', filter }}
        />
      </div>
      {hasDays ? (
        <Read
          reading={reading}
          readText={({ count }, minute) => texts.$readAt(counted(count, page.$transaction), minute)}
        >
          {(findings) => <Found api={api} filter={filter} findings={findings} />}
        </Read>
      ) : (
        <p class="days-problem" role="alert">
          {texts.$noDays}
        </p>
      )}
      {/* One cause is said once. */}
      {!(stage.state === 'failed' && stage.failure.kind === 'unreachable') && (
        <PendingByAge api={api} currency={filter.currency} visit={visit} />
      )}
    </main>
  );
}

const presets = (today: string): [name: string, days: { from: string; to: string }][] => [
  [page.$thisMonth, { from: monthAt(today).from, to: today }],
  [page.$lastMonth, monthAt(today, -1)],
  [page.$lastDays(REVIEWED_DAYS), { from: addDays(today, 1 - REVIEWED_DAYS), to: today }],
];

/** The filter of the address, with the last days if it has none. */
function filterOf(filter: Filter, today: string): DaysFilter {
  const { to = today, from = addDays(to, 1 - REVIEWED_DAYS) } = filter;
  return { ...reviewRoute(filter).filter, from, to };
}
