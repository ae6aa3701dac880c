import { useEffect, useReducer, useRef } from 'preact/hooks';
import { formatRoute, hasDays, type ListRoute, listRoute } from './route.ts';
import { type Location, useRoute } from './use-route.ts';

export type ListLocation = Location & { route: ListRoute };

const isOfList = (location: Location): location is ListLocation => location.route.view === 'list';

/** A window with room for a transaction beside its list. Paper has the transaction alone. */
const room = matchMedia('(width >= 80rem), print');

/**
 * The list on the screen: that of the address, or the one beside which a transaction was opened. It is not
 * loaded again when the transaction is closed.
 */
export function useList(): ListLocation | undefined {
  const location = useRoute();
  const [, render] = useReducer<number, unknown>((count) => count + 1, 0);
  useEffect(() => {
    room.addEventListener('change', render);
    return () => room.removeEventListener('change', render);
  }, []);
  const list = useRef<ListLocation>(undefined);
  const before = list.current;
  const { route, zone, cameFrom } = location;
  if (isOfList(location)) {
    const isBack = cameFrom?.view === 'transaction' && before?.zone === zone;
    const isSame = isBack && formatRoute(location.route) === formatRoute(before.route);
    list.current = isSame ? { ...location, visit: before.visit } : location;
  } else if (route.view !== 'transaction') list.current = undefined;
  else if (before && before.zone !== zone) {
    // A cursor is of its days.
    const first = hasDays(before.route) && { route: listRoute(before.route.filter), trail: [] };
    list.current = { ...before, zone, ...first };
  }
  return isOfList(location) || room.matches ? list.current : undefined;
}
