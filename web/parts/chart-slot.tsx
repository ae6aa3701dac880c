import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Chart, type ChartProps } from '../chart/chart.tsx';
import { Signal } from '../state/signal.ts';
import { texts } from '../text/language.ts';
import { Button } from './button.tsx';

const isOpen = new Signal(false);

/** The chart, beside totals that leave it room. Below others, where it would move the list, a button opens it. */
export function ChartSlot(props: ChartProps) {
  const [fits, setFits] = useState(false);
  const isShown = isOpen.use() || fits;
  const slot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { offsetTop, offsetWidth, previousElementSibling } = slot.current as HTMLElement;
    if (offsetWidth > 0 && offsetTop === (previousElementSibling as HTMLElement).offsetTop) setFits(true);
  }, []);
  const open = () => {
    isOpen.value = true;
  };
  return (
    <div class="chart-place" ref={slot}>
      {isShown ? (
        <Chart {...props} />
      ) : (
        <Button class="link chart-open" onClick={open}>
          {texts.$showChart}
        </Button>
      )}
    </div>
  );
}
