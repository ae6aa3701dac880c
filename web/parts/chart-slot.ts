import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Chart, type ChartProps } from '../chart/chart.ts';

let wasOpened = false;

/** The chart, beside totals that leave it room. Below others, where it would move the list, a button opens it. */
export function ChartSlot(props: ChartProps) {
  const [isShown, setIsShown] = useState(wasOpened);
  const slot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { offsetTop, offsetWidth, previousElementSibling } = slot.current as HTMLElement;
    if (offsetWidth > 0 && offsetTop === (previousElementSibling as HTMLElement).offsetTop) setIsShown(true);
  }, []);
  const open = () => {
    wasOpened = true;
    setIsShown(true);
  };
  return h(
    'div',
    { class: 'chart-place', ref: slot },
    isShown
      ? h(Chart, props)
      : h('button', { type: 'button', class: 'link chart-open', onClick: open }, 'Show the chart'),
  );
}
