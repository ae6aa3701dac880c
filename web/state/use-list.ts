import { useRef } from 'preact/hooks';
import { formatRoute, hasDays, type ListRoute, listRoute } from './route.ts';
import { useMedia } from './use-media.ts';
import { type Location, useRoute } from './use-route.ts';

type ListLocation = Location & { route: ListRoute };

const isOfList = (location: Location): location is ListLocation => location.route.view === 'list';

/** Includes `print`, so that the list need not be loaded again after printing. */
const KEEPS_LIST = '(width >= 80rem), print';

export function useList(): ListLocation | undefined {
  const location = useRoute();
  const keepsList = useMedia(KEEPS_LIST);
  const list = useRef<ListLocation>(undefined);
  const before = list.current;
  const { route, zone, cameFrom } = location;
  if (isOfList(location)) {
    const isBack = cameFrom?.view === 'transaction' && before?.zone === zone;
    const isSame = isBack && formatRoute(location.route) === formatRoute(before.route);
    list.current = isSame ? { ...location, visit: before.visit } : location;
  } else if (route.view !== 'transaction') list.current = undefined;
  else if (before && before.zone !== zone) {
    // In a new zone, days begin at other times, so the old cursor of a list that is filtered by days is not
    // valid. Such a list begins at its first page.
    const first = hasDays(before.route) && { route: listRoute(before.route.filter), trail: [] };
    list.current = { ...before, zone, ...first };
  }
  return isOfList(location) || keepsList ? list.current : undefined;
}
