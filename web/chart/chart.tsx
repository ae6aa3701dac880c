import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type DayRange, monthAt } from '../../values/days.ts';
import { saveFile } from '../export/save-file.ts';
import { Button } from '../parts/button.tsx';
import { Popover } from '../parts/popover.tsx';
import { Select } from '../parts/select.tsx';
import { announce } from '../state/announce.ts';
import { type Api, failureOf, type Totals, type TotalsRow } from '../state/api.ts';
import { type Filter, listRoute, queryOf } from '../state/route.ts';
import { storedSession } from '../state/session.ts';
import { Signal } from '../state/signal.ts';
import { byImportance } from '../state/statuses.ts';
import { useLoad } from '../state/use-load.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { rangeText } from '../text/month.ts';
import { statusText } from '../text/status.ts';
import { dayIn } from '../text/time.ts';
import { BarChart } from './bar-chart.tsx';
import { PeriodTable } from './period-table.tsx';
import { chartDays, type Period, type Periods, sumPeriods, type Unit } from './periods.ts';

/** The width of the narrowest bar and its gap, in pixels. */
const MIN_PITCH = 6;

export interface ChartProps {
  api: Api;
  filter: Filter;
  /** The days to compare with. Their number is about that of the filter's days. */
  before: DayRange | undefined;
  /** A new version loads the chart again. */
  version: string;
  /** The rows that can be shown as a chart. There is at least one. */
  totals: Totals;
}

interface Choice {
  currency: string;
  status: string;
}

// The choice lasts until the page is loaded again.
const chosen = new Signal<Partial<Choice>>({});

/** The amount of each day in one currency and status. */
export function Chart({ api, filter, before, version, totals }: ChartProps) {
  const { zone } = useRoute();
  const choice = choiceOf(totals.data, chosen.use());
  const { currency, status } = choice;
  const choose = (one: Choice) => {
    chosen.value = one;
  };
  const subject = JSON.stringify([filter, before, zone, currency, status]);
  const {
    loaded,
    value: charted,
    reload,
  } = useLoad(
    `${version} ${subject}`,
    (signal) =>
      loadRows(filter, before, async (days) => {
        // The bars are days of the zone, even if the filter has no days.
        const query = { ...daysOf(days, zone), timeZone: zone, currency, status, by: 'day' } as const;
        return (await api.totals(query, signal)).data;
      }),
    subject,
  );
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
  // If there was no transaction before, there is nothing to compare with.
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
        onChoose={choose}
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

/** The sums of each day. If the service refuses the days to compare with, they are left out. */
async function loadRows(
  filter: Filter,
  before: DayRange | undefined,
  load: (days: Filter) => Promise<TotalsRow[]>,
) {
  const loadBefore = (days: DayRange) =>
    load({ ...filter, ...days }).catch((error) => {
      if (failureOf(error).kind !== 'refused') throw error;
      return undefined;
    });
  const [rows, rowsBefore] = await Promise.all([load(filter), before && loadBefore(before)]);
  return { rows, rowsBefore };
}

function Figures({
  filter,
  choice,
  width,
  today,
  hasTable,
  ...shown
}: Periods & {
  before: readonly Period[] | undefined;
  filter: Filter;
  choice: Choice;
  width: number;
  today: string;
  hasTable: boolean;
}) {
  const { unit, periods, before } = shown;
  const { currency, status } = choice;
  const label = texts.$chartLabel(statusText(status), texts.$units[unit], currency);
  const show = (days: Filter) => navigate(listRoute({ ...filter, ...days }));
  const [only] = periods;
  if (only !== undefined && periods.length === 1 && only.from === only.to) {
    const month = monthAt(only.from);
    const to = month.to > today && only.from <= today ? today : month.to;
    return (
      <p class="chart-note">
        {texts.$chartOneDay}
        <Button class="link" onClick={() => show({ from: month.from, to })}>
          {texts.$showList(rangeText({ from: month.from, to }))}
        </Button>
      </p>
    );
  }
  return (
    <>
      {/* The list of a bar has exactly the transactions that the bar counts. */}
      <BarChart
        unit={unit}
        periods={periods}
        before={before}
        currency={currency}
        label={label}
        width={width}
        onShow={(days) => show({ ...choice, ...days })}
      />
      {hasTable && (
        <PeriodTable unit={unit} periods={periods} before={before} currency={currency} label={label} />
      )}
    </>
  );
}

interface HeadProps {
  totals: readonly TotalsRow[];
  choice: Choice;
  unit: Unit;
  /** The days that the bars are compared with. */
  before: DayRange | undefined;
  onChoose(choice: Choice): void;
  /** Further options. */
  children: ComponentChildren;
}

/** The status and currency of the bars, with a choice if there are several. */
function Head({ totals, choice, unit, before, onChoose, children }: HeadProps) {
  const { currency, status } = choice;
  const currencies = unique(totals.map((row) => row.currencyCode));
  const ofCurrency = totals.filter((row) => row.currencyCode === currency);
  const statuses = unique(ofCurrency.map((row) => row.status)).sort(byImportance);
  return (
    <div class="chart-head">
      <h3>{[statusText(status), currency, texts.$perUnit(texts.$units[unit])].join(', ')}</h3>
      {before && <span class="chart-before-value">{rangeText(before)}</span>}
      <Popover
        id="chart-options"
        class="chip chart-choice"
        label={texts.$chartOptions}
        name={texts.$chartOptions}
      >
        <Figure
          label={texts.$chartStatus}
          value={status}
          options={statuses}
          text={statusText}
          onChoose={(chosen) => onChoose({ ...choice, status: chosen })}
        />
        <Figure
          label={texts.$chartCurrency}
          value={currency}
          options={currencies}
          text={(one) => one}
          onChoose={(chosen) => onChoose({ ...choice, currency: chosen })}
        />
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

/** Saves the chart as an image, or copies it. */
function ImageButtons({ plot, choice: { currency, status }, periods, before }: ImageButtonsProps) {
  const { zone } = useRoute();
  const [problem, setProblem] = useState<string>();
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined || first.from === last.to) return null;
  const days = `${rangeText({ from: first.from, to: last.to })} (${zone})`;
  const image = async () => {
    const { chartImage } = await import('./chart-image.ts');
    return chartImage(
      plot.current?.querySelector('svg') as SVGSVGElement,
      `${storedSession()?.account}: ${statusText(status)}, ${currency}, ${days}`,
      before && `${texts.$comparedWith} ${rangeText(before)}`,
    );
  };
  const partFailed = `${texts.$partFailed}. ${texts.$partFailedText}`;
  const save = async () => {
    const name = `${storedSession()?.account}_${status}_${currency}_${first.from}_to_${last.to}.png`;
    try {
      saveFile(name, await image());
      setProblem(undefined);
    } catch {
      setProblem(partFailed);
    }
  };
  const copy = async () => {
    const made = image();
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': made })]);
      setProblem(undefined);
      announce(texts.$copiedOf(texts.$image));
    } catch {
      // Copying can fail, because a browser can ask the user, and a frame needs the permission of its page.
      const refused = texts.$notCopied(texts.$image);
      setProblem(await made.then(() => refused).catch(() => partFailed));
    }
  };
  return (
    <>
      <Button class="choice" onClick={save}>
        {texts.$saveImage}
      </Button>
      {/* Only pages with TLS have it. */}
      {'ClipboardItem' in globalThis && navigator.clipboard && (
        <Button class="choice" onClick={copy}>
          {texts.$copyImage}
        </Button>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </>
  );
}

interface FigureProps {
  label: string;
  value: string;
  options: readonly string[];
  text(option: string): string;
  onChoose(option: string): void;
}

function Figure({ label, value, options, text, onChoose }: FigureProps) {
  if (options.length < 2) return null;
  const choices = options.map((option) => [option, text(option)] as const);
  return <Select aria-label={label} value={value} choices={choices} onChoose={onChoose} />;
}

/**
 * The chosen currency and status if the totals have them. Otherwise the currency with the most transactions,
 * and its completed ones.
 */
function choiceOf(rows: readonly TotalsRow[], chosen: Partial<Choice>): Choice {
  const currencies = unique(rows.map((row) => row.currencyCode));
  const countOf = (currency: string) =>
    rows.reduce((sum, row) => sum + (row.currencyCode === currency ? row.count : 0), 0);
  const most = currencies.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
  const currency = currencies.find((code) => code === chosen.currency) ?? most;
  const statuses = rows.filter((row) => row.currencyCode === currency).map((row) => row.status);
  const status =
    statuses.find((name) => name === chosen.status) ??
    statuses.find((name) => name === 'completed') ??
    (statuses[0] as string);
  return { currency, status };
}

const unique = (texts: readonly string[]) => [...new Set(texts)];

const daysOf = ({ from = '', to = '', by = '' }: Filter, zone: string) =>
  queryOf({ ...(from && { from }), ...(to && { to }), ...(by && { by }) }, zone);

/** The width of an element, whenever it changes. */
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
