import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from './use-route.ts';

/** The count is requested when the list is opened or refreshed, not when its filters or page change. */
export function useCount(read: () => Promise<number>): number | undefined {
  const { route, visit } = useRoute();
  const [count, setCount] = useState<number>();
  const listed = useRef('');
  const last = useRef<Promise<number>>(undefined);
  useEffect(() => {
    const before = listed.current;
    listed.current = route.view === 'list' ? JSON.stringify(route) : '';
    if (listed.current === '' || (before !== '' && before !== listed.current)) return;
    const reading = Promise.resolve()
      .then(read)
      .catch(() => 0);
    last.current = reading;
    void reading.then((counted) => last.current === reading && setCount(counted));
  }, [visit, route.view]);
  return count;
}
