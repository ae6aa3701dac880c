import { h } from 'preact';
import { useState } from 'preact/hooks';
import { Chart, type ChartProps } from '../chart/chart.ts';

/** Where the chart is beside the totals. On a narrower screen it is below them, and opened by a button. */
const HAS_ROOM = '(min-width: 62.01rem)';
let wasOpened = false;

/** The room of the chart. */
export function ChartSlot(props: ChartProps) {
  const [isShown, setIsShown] = useState(() => wasOpened || matchMedia(HAS_ROOM).matches);
  if (isShown) return h('div', { class: 'chart-slot-open' }, h(Chart, props));
  const open = () => {
    wasOpened = true;
    setIsShown(true);
  };
  return h('button', { type: 'button', class: 'link chart-open', onClick: open }, 'Show the chart');
}
