import { Fragment } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Filter } from '../state/route.ts';
import { rangeText } from '../text/month.ts';
import { axisText, periodAmount, periodCount, periodText } from './period-text.ts';
import type { Period, Periods } from './periods.ts';
import { cutTo, ticksOf, tickTexts } from './scale.ts';

interface BarChartProps extends Periods {
  before?: readonly Period[] | undefined;
  currency: string;
  label: string;
  width: number;
  onShow(days: Filter): void;
}

const HEIGHT = 164;
const TOP = 8;
const BOTTOM = 22;
const CHARACTER_WIDTH = 7.2;
const LABEL = 96;

interface Layout {
  left: number;
  right: number;
  pitch: number;
  yOf(value: number): number;
}

export function BarChart({ unit, periods, before, currency, label, width, onShow }: BarChartProps) {
  const [active, setActive] = useState<number>();
  const tapped = useRef<string>(undefined);
  const amounts = periods.map(amountOf);
  const beforeAll = before?.slice(0, periods.length).map(amountOf) ?? [];
  const ticks = ticksOf(amounts.some((one) => one !== 0) ? amounts : beforeAll);
  const amountsBefore = cutTo(ticks, beforeAll);
  const layout = layOut(ticks, periods.length, width);
  const shown = active === undefined ? undefined : periods[active];
  const show = (period: Period | undefined) => period && onShow({ from: period.from, to: period.to });
  // A finger cannot hover, so the first tap shows the value and the second tap opens the days.
  const tap = (period: Period) => (event: MouseEvent) => {
    if ((event as PointerEvent).pointerType !== 'touch' || tapped.current === period.from) show(period);
    tapped.current = period.from;
  };

  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    const last = periods.length - 1;
    if (step === undefined) show(shown);
    else setActive(Math.max(0, Math.min(last, (active ?? last) + step)));
  };
  return (
    <div
      class="chart-bars"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-activedescendant={active === undefined ? undefined : `bar-${active}`}
      onKeyDown={move}
      onFocus={() => setActive((before) => before ?? periods.length - 1)}
      onBlur={() => setActive(undefined)}
      onPointerLeave={({ pointerType }: PointerEvent) => pointerType === 'mouse' && setActive(undefined)}
    >
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="presentation" focusable="false">
        <Axis ticks={ticks} layout={layout} />
        {periods.map((period, index) => (
          <Bar
            key={period.from}
            id={`bar-${index}`}
            text={[period, comparedWith(before, index)]
              .map((one) => one && periodText(one, currency))
              .filter(Boolean)
              .join('; ')}
            amount={amounts[index] as number}
            amountBefore={amountsBefore[index]}
            isCut={amountsBefore[index] !== beforeAll[index]}
            x={layout.left + index * layout.pitch}
            layout={layout}
            isEmpty={period.count === 0}
            isActive={index === active}
            onPointerEnter={() => setActive(index)}
            onClick={tap(period)}
          />
        ))}
        <Labels periods={periods} unit={unit} layout={layout} />
      </svg>
      {active !== undefined && shown && (
        <ChartValue
          shown={shown}
          compared={comparedWith(before, active)}
          currency={currency}
          x={layout.left + (active + 0.5) * layout.pitch}
        />
      )}
    </div>
  );
}

function comparedWith(before: readonly Period[] | undefined, index: number): Period | undefined {
  const compared = before?.[index];
  return compared?.count ? compared : undefined;
}

interface ChartValueProps {
  shown: Period;
  compared: Period | undefined;
  currency: string;
  x: number;
}

const ChartValue = ({ shown, compared, currency, x }: ChartValueProps) => (
  <p class="chart-value" aria-hidden="true" style={{ left: `clamp(7rem, ${x}px, 100% - 7rem)` }}>
    <span>{rangeText(shown)}</span>
    {shown.count > 0 && <b>{periodAmount(shown, currency)}</b>}
    <span>{periodCount(shown)}</span>
    {compared && (
      <span class="chart-before-value">{`${rangeText(compared)} ${periodAmount(compared, currency)}`}</span>
    )}
  </p>
);

const amountOf = ({ amountMinor }: Period) => Number(amountMinor) / 100;

function layOut(ticks: readonly number[], count: number, width: number): Layout {
  const low = ticks[0] as number;
  const span = (ticks.at(-1) as number) - low || 1;
  const left = Math.max(...tickTexts(ticks).map((text) => text.length)) * CHARACTER_WIDTH + 10;
  const bottom = HEIGHT - BOTTOM;
  return {
    left,
    right: width,
    pitch: (width - left) / count,
    yOf: (value) => bottom - ((value - low) / span) * (bottom - TOP),
  };
}

const STEPS: Readonly<Record<string, number>> = {
  Home: -Infinity,
  End: Infinity,
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

function Axis({ ticks, layout: { left, right, yOf } }: { ticks: readonly number[]; layout: Layout }) {
  const labels = tickTexts(ticks);
  return (
    <g aria-hidden="true">
      {ticks.map((tick, index) => {
        const y = Math.round(yOf(tick)) + 0.5;
        return (
          <Fragment key={tick}>
            <line class={tick === 0 ? 'chart-zero' : 'chart-line'} x1={left} x2={right} y1={y} y2={y} />
            <text class="chart-label" x={left - 8} y={y + 4} text-anchor="end">
              {labels[index]}
            </text>
          </Fragment>
        );
      })}
    </g>
  );
}

interface BarProps {
  id: string;
  text: string;
  amount: number;
  amountBefore: number | undefined;
  isCut: boolean;
  x: number;
  layout: Layout;
  isEmpty: boolean;
  isActive: boolean;
  onPointerEnter(): void;
  onClick(event: MouseEvent): void;
}

function Bar({ text, amount, amountBefore, isCut, x, layout, isEmpty, isActive, ...attributes }: BarProps) {
  const { pitch, yOf } = layout;
  const gap = pitch > 4 ? Math.min(4, pitch * 0.25) : 0;
  const zero = yOf(0);
  const end = yOf(amount);
  const height = Math.max(1.5, Math.abs(end - zero));
  return (
    <g
      role="option"
      aria-label={text}
      aria-selected={isActive}
      class={isActive ? 'chart-bar chart-bar-active' : 'chart-bar'}
      onPointerDown={(event: PointerEvent) => event.preventDefault()}
      {...attributes}
    >
      <rect class="chart-slot" x={x} y={0} width={pitch} height={HEIGHT - BOTTOM} />
      {!isEmpty && (
        <rect
          class={amount < 0 ? 'chart-fill chart-fill-negative' : 'chart-fill'}
          x={x + gap / 2}
          y={amount < 0 ? zero : zero - height}
          width={pitch - gap}
          height={height}
        />
      )}
      {amountBefore !== undefined && amountBefore !== 0 && !isCut && (
        <line class="chart-before" x1={x} x2={x + pitch} y1={yOf(amountBefore)} y2={yOf(amountBefore)} />
      )}
      {amountBefore !== undefined && isCut && (
        <path
          class="chart-beyond"
          d={`M${x + pitch / 2} ${yOf(amountBefore)}l4 ${amountBefore > 0 ? 6 : -6}h-8z`}
        />
      )}
    </g>
  );
}

function Labels({ periods, unit, layout }: Periods & { layout: Layout }) {
  const { left, right, pitch } = layout;
  const every = Math.ceil(LABEL / pitch);
  return (
    <g aria-hidden="true">
      {periods.map((period, index) => {
        const x = left + (index + 0.5) * pitch;
        const text = axisText(period, unit, periods[index - every]);
        const isFirst = index === 0 && pitch < LABEL;
        const isBeyond = !isFirst && x + (text.length * CHARACTER_WIDTH) / 2 > right;
        if (index % every !== 0 || isBeyond) return null;
        return (
          <text
            key={period.from}
            class="chart-label"
            x={isFirst ? left : x}
            y={HEIGHT - 6}
            text-anchor={isFirst ? 'start' : 'middle'}
          >
            {text}
          </text>
        );
      })}
    </g>
  );
}
