import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from './use-route.ts';

/**
 * A number beside a link of the bar. It is requested when the list is opened or refreshed, but not for other
 * filters or pages.
 */
export function useCount(read: () => Promise<number>): number {
  const { route, visit } = useRoute();
  const [count, setCount] = useState(0);
  const listed = useRef('');
  useEffect(() => {
    const before = listed.current;
    listed.current = route.view === 'list' ? JSON.stringify(route) : '';
    if (listed.current === '' || (before !== '' && before !== listed.current)) return;
    // Requested after the list. A failure is ignored, because the list reports it.
    Promise.resolve()
      .then(read)
      .then(setCount, () => setCount(0));
  }, [visit, route.view]);
  return count;
}
