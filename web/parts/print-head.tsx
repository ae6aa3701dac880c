import { useEffect, useState } from 'preact/hooks';
import { describeFilter, type Route } from '../state/route.ts';
import { useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { timeParts } from '../text/time.ts';

interface PrintHeadProps {
  account: string;
  route: Route;
}

/** What a printed page needs to be understood later. It is not on the screen. */
export function PrintHead({ account, route }: PrintHeadProps) {
  const { zone } = useRoute();
  const [printedAtMs, setPrintedAtMs] = useState(Date.now);
  useEffect(() => {
    const update = () => setPrintedAtMs(Date.now());
    addEventListener('beforeprint', update);
    return () => removeEventListener('beforeprint', update);
  }, []);
  const filter = (route.view === 'list' || route.view === 'reconcile') && route.filter;
  const { day, time, offset } = timeParts(new Date(printedAtMs).toISOString(), zone);
  const parts = [
    texts.$accountOf(account),
    filter && texts.$filtersAre(describeFilter(filter, zone)),
    route.view === 'search' && texts.$searchIs(route.text),
    texts.$timesAre(zone),
    texts.$printed(`${day} ${time.slice(0, 5)} ${offset}`),
  ];
  return <p class="print-head">{parts.filter(Boolean).join(' \u00b7 ')}</p>;
}
