import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { describeFilter, type Route } from '../state/route.ts';
import { localZoneName, type TimeZoneChoice, timeParts } from '../text/time.ts';

interface PrintHeadProps {
  account: string;
  route: Route;
  zone: TimeZoneChoice;
}

/** What a printed page needs to be understood later. It is not on the screen. */
export function PrintHead({ account, route, zone }: PrintHeadProps) {
  const [printedAtMs, setPrintedAtMs] = useState(Date.now);
  useEffect(() => {
    const update = () => setPrintedAtMs(Date.now());
    addEventListener('beforeprint', update);
    return () => removeEventListener('beforeprint', update);
  }, []);
  const filter = route.view === 'list' && route.filter;
  const isOfDays = filter && (filter.from ?? filter.to) !== undefined;
  const { day, time, zone: offset } = timeParts(new Date(printedAtMs).toISOString(), zone);
  const parts = [
    `Account ${account}`,
    filter && `Filters: ${describeFilter(filter) || 'none'}${isOfDays ? ' (UTC days)' : ''}`,
    route.view === 'search' && `Search: ${route.text}`,
    `Times in ${zone === 'utc' ? 'UTC' : localZoneName()}`,
    `Printed ${day} ${time.slice(0, 5)} ${offset}`,
  ];
  return h('p', { class: 'print-head' }, parts.filter(Boolean).join(' \u00b7 '));
}
