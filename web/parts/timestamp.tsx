import { useRoute } from '../state/use-route.ts';
import { isRepeated, timeParts } from '../text/time.ts';

interface TimestampProps {
  timestamp: string;
  /** Shows the offset from UTC. */
  isWhole?: boolean;
}

/** A time in the chosen zone, with its offset where clocks that are set back show it twice. */
export function Timestamp({ timestamp, isWhole = false }: TimestampProps) {
  const { zone } = useRoute();
  const parts = timeParts(timestamp, zone);
  return (
    <time dateTime={timestamp} class="timestamp">
      <span class="timestamp-day">{parts.day}</span> <span class="timestamp-time">{parts.time}</span>
      {(isWhole || isRepeated(timestamp, zone)) && <span class="timestamp-zone"> {parts.offset}</span>}
    </time>
  );
}
