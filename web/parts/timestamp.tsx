import { useRoute } from '../state/use-route.ts';
import { dayText, shortDay } from '../text/month.ts';
import { dayIn, isRepeated, timeParts } from '../text/time.ts';

interface TimestampProps {
  timestamp: string;
  isWhole?: boolean;
}

/** When clocks are set back, some times of the day occur twice. They are shown with their offset from UTC. */
export function Timestamp({ timestamp, isWhole = false }: TimestampProps) {
  const { zone } = useRoute();
  const parts = timeParts(timestamp, zone);
  const day = isWhole ? dayText(parts.day) : shortDay(parts.day, dayIn(zone));
  return (
    <time dateTime={timestamp} class="timestamp">
      <span class="timestamp-day">{day},</span>{' '}
      <span class="timestamp-time">{isWhole ? parts.time : parts.minute}</span>
      {(isWhole || isRepeated(timestamp, zone)) && <span class="timestamp-zone"> {parts.offset}</span>}
    </time>
  );
}
