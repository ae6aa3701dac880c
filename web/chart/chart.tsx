import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type DayRange, monthAt } from '../../values/calendar.ts';
import { saveFile } from '../export/save-file.ts';
import { Button } from '../parts/button.tsx';
import { Popover } from '../parts/popover.tsx';
import { Select } from '../parts/select.tsx';
import { announce } from '../state/announce.ts';
import { failureOf, type Totals, type TotalsRow } from '../state/api.ts';
import { loadScript } from '../state/load-script.ts';
import { type Filter, listRoute, queryOf } from '../state/route.ts';
import { storedSession } from '../state/session.ts';
import { SOON } from '../state/settings.ts';
import { Signal } from '../state/signal.ts';
import { byImportance } from '../state/statuses.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { nameOfDays, rangeText } from '../text/month.ts';
import { type CurrencyTotals, overviewOf } from '../text/overview.ts';
import { statusText } from '../text/status.ts';
import { dayIn } from '../text/time.ts';
import { BarChart } from './bar-chart.tsx';
import { PeriodTable } from './period-table.tsx';
import { chartDays, type Period, type Periods, sumPeriods, type Unit } from './periods.ts';

const MIN_PITCH = 6;

export interface ChartProps {
  filter: Filter;
  before: DayRange | undefined;
  version: string;
  totals: Totals;
}

interface Choice {
  currency: string;
  status: string;
}

const chosen = new Signal<Partial<Choice>>({});

export function Chart({ filter, before, version, totals }: ChartProps) {
  const { zone } = useRoute();
  const api = useApi();
  const choice = choiceOf(totals.data, chosen.use());
  const { currency, status } = choice;
  const subject = JSON.stringify([filter, before, zone, currency, status]);
  const load = async (signal: AbortSignal) => {
    const rowsOf = async (listed: Filter) => {
      // Sends the zone even if the filter has no days, because the zone decides the day of a transaction.
      const query = { ...queryOf(listed, zone), timeZone: zone, currency, status, by: 'day' } as const;
      return (await api.totals(query, signal)).data;
    };
    const noneIfRefused = (error: unknown) =>
      failureOf(error).kind === 'refused' ? undefined : Promise.reject(error);
    const [rows, rowsBefore] = await Promise.all([
      rowsOf(filter),
      before && rowsOf({ ...filter, ...before }).catch(noneIfRefused),
    ]);
    return { rows, rowsBefore };
  };
  const { loaded, value: charted, reload } = useLoad(`${version} ${subject}`, load, subject);
  const [hasTable, setHasTable] = useState(false);
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);

  const rows = charted?.rows;
  const isLoading = loaded.state === 'loading';
  const today = dayIn(zone);
  const maxBars = Math.max(12, Math.floor((width - 48) / MIN_PITCH));
  const days = rows && chartDays(rows, filter, today, maxBars);
  const shown = rows && days && sumPeriods(rows, days, maxBars);
  const daysBefore = before && chartDays([], before, today, maxBars);
  const shownBefore =
    shown &&
    charted?.rowsBefore?.length &&
    daysBefore &&
    sumPeriods(charted.rowsBefore, daysBefore, maxBars, shown.unit).periods;
  return (
    <div class="chart">
      <Head
        totals={totals.data}
        choice={choice}
        unit={shown?.unit ?? 'day'}
        before={shownBefore ? before : undefined}
      >
        <Button class="choice" aria-pressed={hasTable} onClick={() => setHasTable(!hasTable)}>
          {texts.$showTable}
        </Button>
        <ImageButtons
          plot={plot}
          choice={choice}
          periods={shown?.periods ?? []}
          before={shownBefore ? before : undefined}
        />
        <p class="help">{texts.$barClick}</p>
      </Head>
      <div class={isLoading ? 'chart-plot chart-plot-stale' : 'chart-plot'} ref={plot} aria-busy={isLoading}>
        {loaded.state === 'failed' ? (
          <p class="chart-note">
            {loaded.failure.code === 'date_range_too_long' ? (
              texts.$chartTooMany(zone)
            ) : (
              <>
                {texts.$chartFailed(loaded.failure.title)}
                <Button class="link" onClick={reload}>
                  {texts.$loadItAgain}
                </Button>
              </>
            )}
          </p>
        ) : (
          width > 0 &&
          shown && (
            <Figures
              {...shown}
              before={shownBefore || undefined}
              filter={filter}
              choice={choice}
              width={width}
              today={today}
              hasTable={hasTable}
            />
          )
        )}
      </div>
    </div>
  );
}

interface FiguresProps extends Periods {
  before: readonly Period[] | undefined;
  filter: Filter;
  choice: Choice;
  width: number;
  today: string;
  hasTable: boolean;
}

function Figures({ filter, choice, width, today, hasTable, ...shown }: FiguresProps) {
  const { unit, periods } = shown;
  const { currency, status } = choice;
  const label = texts.$chartLabel(statusText(status), texts.$units[unit], currency);
  const show = (days: Filter) => navigate(listRoute({ ...filter, ...days }));
  const [only] = periods;
  if (only && periods.length === 1 && only.from === only.to) {
    const month = monthAt(only.from);
    const to = month.to > today && only.from <= today ? today : month.to;
    // A chart needs more than one day. If today is the 1st, the link also shows the month before.
    const days = { from: to === month.from ? monthAt(to, -1).from : month.from, to };
    return (
      <p class="chart-note">
        {texts.$chartOneDay}
        <Button class="link" onClick={() => show(days)}>
          {texts.$showList(rangeText(days))}
        </Button>
      </p>
    );
  }
  return (
    <>
      <BarChart
        {...shown}
        currency={currency}
        label={label}
        width={width}
        onShow={(days) => show({ ...choice, ...days })}
      />
      {hasTable && <PeriodTable {...shown} currency={currency} label={label} />}
    </>
  );
}

interface HeadProps {
  totals: readonly TotalsRow[];
  choice: Choice;
  unit: Unit;
  before: DayRange | undefined;
  children: ComponentChildren;
}

function Head({ totals, choice, unit, before, children }: HeadProps) {
  const { currency, status } = choice;
  const choose = (one: Partial<Choice>) => {
    chosen.value = { ...choice, ...one };
  };
  const currencies = [...new Set(totals.map((row) => row.currencyCode))];
  const ofCurrency = totals.filter((row) => row.currencyCode === currency);
  const statuses = ofCurrency.map((row) => row.status).sort(byImportance);
  return (
    <div class="chart-head">
      <h3>{[statusText(status), currency, texts.$perUnit(texts.$units[unit])].join(', ')}</h3>
      {before && (
        <span class="chart-before-value">{nameOfDays(before.from, before.to) ?? rangeText(before)}</span>
      )}
      <Popover
        id="chart-options"
        class="chip chart-choice"
        label={texts.$chartOptions}
        name={texts.$chartOptions}
      >
        {statuses.length > 1 && (
          <Select
            aria-label={texts.$chartStatus}
            value={status}
            choices={statuses.map((one) => [one, statusText(one)])}
            onChoose={(one) => choose({ status: one })}
          />
        )}
        {currencies.length > 1 && (
          <Select
            aria-label={texts.$chartCurrency}
            value={currency}
            choices={currencies.map((one) => [one])}
            onChoose={(one) => choose({ currency: one })}
          />
        )}
        {children}
      </Popover>
    </div>
  );
}

interface ImageButtonsProps {
  plot: { current: HTMLElement | null };
  choice: Choice;
  periods: readonly Period[];
  before: DayRange | undefined;
}

function ImageButtons({ plot, choice: { currency, status }, periods, before }: ImageButtonsProps) {
  const { zone } = useRoute();
  const [problem, setProblem] = useState<string>();
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined || first.from === last.to) return null;
  const days = `${rangeText({ from: first.from, to: last.to })} (${zone})`;
  const image = async () => {
    const { chartImage } = await loadScript(() => import('./chart-image.ts'), SOON);
    return chartImage(
      plot.current?.querySelector('svg') as SVGSVGElement,
      `${storedSession()?.account}: ${statusText(status)}, ${currency}, ${days}`,
      before && `${texts.$comparedWith} ${rangeText(before)}`,
    );
  };
  const textOf = (error: unknown) => {
    const { title, detail } = failureOf(error);
    return `${title}. ${detail}`;
  };
  const save = async () => {
    const name = `${storedSession()?.account}_${status}_${currency}_${first.from}_to_${last.to}.png`;
    try {
      saveFile(name, await image());
      setProblem(undefined);
    } catch (error) {
      setProblem(textOf(error));
    }
  };
  const copy = async () => {
    const made = image();
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': made })]);
      setProblem(undefined);
      announce(texts.$copiedOf(texts.$image));
    } catch {
      // Copying fails if the user refuses it, or if the page around this frame does not allow it.
      const refused = texts.$notCopied(texts.$image);
      setProblem(await made.then(() => refused, textOf));
    }
  };
  return (
    <>
      <Button class="choice" onClick={save}>
        {texts.$saveImage}
      </Button>
      {/* Browsers have a clipboard only on pages with TLS. */}
      {'ClipboardItem' in globalThis && navigator.clipboard && (
        <Button class="choice" onClick={copy}>
          {texts.$copyImage}
        </Button>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </>
  );
}

function choiceOf(rows: readonly TotalsRow[], chosen: Partial<Choice>): Choice {
  const overview = overviewOf(rows, [], () => true);
  const { currency, cells } = (overview.find((one) => one.currency === chosen.currency) ??
    overview[0]) as CurrencyTotals;
  const status = [chosen.status, 'completed', ...cells.keys()].find((name) => name && cells.has(name));
  return { currency, status: status as string };
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const shown = element.current;
    if (shown === null) return;
    const observer = new ResizeObserver(() => setWidth(shown.clientWidth));
    setWidth(shown.clientWidth);
    observer.observe(shown);
    return () => observer.disconnect();
  }, []);
  return width;
}
