import { addDays, parseDay } from '../../values/calendar.ts';
import { DaysBar } from '../parts/days-chips.tsx';
import { usePendingAges } from '../parts/pending-ages.tsx';
import {
  addressOf,
  changesRoute,
  type DaysRoute,
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
import { Found } from './found.tsx';
import { type DaysFilter, loadFindings } from './load-findings.ts';
import { PendingByAge } from './pending-by-age.tsx';
import { Read, useReading } from './read.tsx';
import { texts } from './texts.ts';

interface ReviewScreenProps {
  apiKey: string;
  account: string;
  route: DaysRoute;
}

export const ReviewScreen = (props: ReviewScreenProps) =>
  props.route.view === 'changes' ? <ChangesScreen {...props} /> : <DaysScreen {...props} />;

function DaysScreen({ apiKey, route }: ReviewScreenProps) {
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
  const { currency } = filter;
  const ages = usePendingAges({ filter: currency === undefined ? {} : { currency }, visit });
  const pending = <PendingByAge {...ages} />;
  useHeading(page.$lookAt);
  return (
    <main id="main" class="days-screen review">
      <div class="heading">
        <h1 tabIndex={-1}>{page.$lookAt}</h1>
        {filter.currency && <p class="heading-filter">{filter.currency}</p>}
      </div>
      <DaysBar view="review" filter={filter}>
        <a class="bar-link" href={addressOf(changesRoute(filter), zone)} onClick={followLink}>
          {texts.$changedSinceYesterday}
        </a>
      </DaysBar>
      {hasDays ? (
        <Read
          reading={reading}
          readText={({ count }, minute) => texts.$readAt(counted(count, page.$transaction), minute)}
        >
          {(findings) => <Found filter={filter} findings={findings} pending={pending} ages={ages.value} />}
        </Read>
      ) : (
        <p class="days-problem" role="alert">
          {texts.$noDays}
        </p>
      )}
      {!(hasDays && stage.state === 'found') &&
        !(stage.state === 'failed' && stage.failure.kind === 'unreachable') &&
        pending}
    </main>
  );
}

function filterOf(filter: Filter, today: string): DaysFilter {
  const { to = today, from = addDays(to, 1 - REVIEWED_DAYS) } = filter;
  return { ...reviewRoute(filter).filter, from, to };
}
