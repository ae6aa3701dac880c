import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { ChartProps } from '../state/chart-props.ts';
import { usePart } from '../state/use-part.ts';

/** Where the chart is beside the totals. On a narrower screen it is below them, and opened by a button. */
const HAS_ROOM = '(min-width: 62.01rem)';
let wasOpened = false;

/** The room of the chart. Its code is loaded when it is shown. */
export function ChartSlot(props: ChartProps) {
  const [isShown, setIsShown] = useState(() => wasOpened || matchMedia(HAS_ROOM).matches);
  if (isShown) return h('div', { class: 'chart-slot-open' }, h(LoadedChart, props));
  const open = () => {
    wasOpened = true;
    setIsShown(true);
  };
  return h('button', { type: 'button', class: 'link chart-open', onClick: open }, 'Show the chart');
}

function LoadedChart(props: ChartProps) {
  const { loaded, reload } = usePart('chart', () => import('../chart/chart.ts'), [
    new URL('../styles/chart.css', import.meta.url),
  ]);
  if (loaded.state === 'loaded') return h(loaded.value.Chart, props);
  if (loaded.state === 'loading') return null;
  return h(
    'p',
    { class: 'chart-note' },
    `The chart could not be loaded: ${loaded.failure.title} `,
    h('button', { type: 'button', class: 'link', onClick: reload }, 'Load it again'),
  );
}
