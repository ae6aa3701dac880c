import { h } from 'preact';
import { timeParts, UTC } from '../text/time.ts';

interface TimestampProps {
  timestamp: string;
  zone: string;
  /** Shows milliseconds and the zone. */
  isWhole?: boolean;
}

/** A time in the chosen zone. A local time always has its offset, because an hour can occur twice. */
export function Timestamp({ timestamp, zone, isWhole = false }: TimestampProps) {
  const parts = timeParts(timestamp, zone, isWhole);
  return h(
    'time',
    { dateTime: timestamp, class: 'timestamp' },
    h('span', { class: 'timestamp-day' }, parts.day),
    ' ',
    h('span', { class: 'timestamp-time' }, parts.time),
    (isWhole || zone !== UTC) && h('span', { class: 'timestamp-zone' }, ` ${parts.offset}`),
  );
}
