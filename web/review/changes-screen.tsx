import { useMemo } from 'preact/hooks';
import { createSend } from '../../client/src/send.ts';
import { addDays, parseDay } from '../../values/calendar.ts';
import { startOfDayMs } from '../../values/time-zone.ts';
import { csvColumns, csvOf } from '../export/found-file.ts';
import { saveFile } from '../export/save-file.ts';
import { Button } from '../parts/button.tsx';
import { DayInput } from '../parts/day-input.tsx';
import { Icon } from '../parts/icon.tsx';
import { Choices, Popover } from '../parts/popover.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import { changesRoute, type DaysRoute } from '../state/route.ts';
import { settingsOf } from '../state/settings.ts';
import { useHeading } from '../state/title.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { texts as page } from '../text/language.ts';
import { dayText } from '../text/month.ts';
import { dayIn, timeParts } from '../text/time.ts';
import { type Changed, type FoundChanges, loadChanges } from './load-changes.ts';
import { Part } from './part.tsx';
import { Read, useReading } from './read.tsx';
import { Rows } from './rows.tsx';
import { texts } from './texts.ts';

interface ChangesScreenProps {
  apiKey: string;
  account: string;
  route: DaysRoute;
}

const WEEK = 7;
/** By default, requests for changes are retried without end, so the screen would never say why it waits. */
const RETRIES = { maxRetries: 3 };

export function ChangesScreen({ apiKey, account, route }: ChangesScreenProps) {
  const { zone } = useRoute();
  const send = useMemo(() => createSend(settingsOf(apiKey, RETRIES)), [apiKey]);
  const today = dayIn(zone);
  const yesterday = addDays(today, -1);
  const { from = yesterday, currency } = route.filter;
  const show = (chosen: string) => navigate(changesRoute(route.filter, chosen), [], { isReplaced: true });
  const day = parseDay(from);
  const reading = useReading(
    `${zone} ${from} ${currency}`,
    day === undefined
      ? undefined
      : (signal, onProgress) =>
          loadChanges(send, { sinceMs: startOfDayMs(zone, day), currency }, signal, (count) =>
            onProgress(count, null),
          ),
  );
  useHeading(page.$whatChanged);
  return (
    <main id="main" class="days-screen review">
      <div class="heading">
        <h1 tabIndex={-1}>{page.$whatChanged}</h1>
        {currency && <p class="heading-filter">{currency}</p>}
      </div>
      <p class="days-intro">{texts.$changesIntro}</p>
      <Toolbar class="filters" label={page.$filters}>
        <Popover
          id="since"
          label={
            <>
              <span class="chip-label">{page.$named(texts.$since)}</span> {dayText(from)}
            </>
          }
          name={texts.$since}
        >
          <Choices
            popover="since"
            choices={[
              [today, texts.$today],
              [yesterday, texts.$yesterday],
              [addDays(today, 1 - WEEK), page.$lastDays(WEEK)],
            ]}
            chosen={from}
            onChoose={show}
          />
          <div class="field">
            <label for="changes-since">{texts.$since}</label>
            <DayInput id="changes-since" day={from} onDay={show} />
          </div>
        </Popover>
        <ZoneSwitch />
      </Toolbar>
      {day === undefined ? (
        <p class="days-problem" role="alert">
          {texts.$noDay}
        </p>
      ) : (
        <Read
          reading={reading}
          readText={({ changed }, minute) =>
            texts.$changesReadAt(counted(changed.length, page.$transaction), minute)
          }
        >
          {(found) => <FoundChanged {...found} name={`${account}_changes_since_${from}.csv`} />}
        </Read>
      )}
    </main>
  );
}

function FoundChanged({ changed, readBackTo, isArchived, name }: FoundChanges & { name: string }) {
  const { zone } = useRoute();
  const kinds = [
    ['new', texts.$added, changed.filter(({ previousStatus }) => previousStatus === null)],
    ['settled', texts.$settled, changed.filter(({ previousStatus }) => previousStatus !== null)],
  ] as const;
  const isCut = readBackTo !== undefined;
  const save = () =>
    saveFile(
      name,
      csvOf(changed, [
        ...csvColumns<Changed>(zone, ['recordedAt']),
        ['previousStatus', (one: Changed) => one.previousStatus],
      ]),
    );
  return (
    <>
      {(isCut || isArchived) && (
        <p class="days-problem" role="alert">
          {isCut ? texts.$changesCut(timeText(readBackTo, zone)) : texts.$changesArchived}
        </p>
      )}
      <div class="review-kinds">
        {kinds.map(([id, title, rows]) => (
          <Part key={id} name={id} title={title} count={rows.length} help="" summed={rows} />
        ))}
      </div>
      {changed.length > 0 && (
        <Part name="changes" title={texts.$newestFirst} count={changed.length} help="">
          <Button onClick={save}>
            <Icon name="download" />
            {page.$saveAs('CSV')}
          </Button>
          <Rows caption={texts.$newestFirst} rows={changed} time="recordedAt" />
        </Part>
      )}
    </>
  );
}

function timeText(timestamp: string, zone: string): string {
  const { day, minute } = timeParts(timestamp, zone);
  return `${dayText(day)} ${minute}`;
}
