import { useRoute } from '../state/use-route.ts';
import { counted, number } from '../text/count.ts';
import { timeParts } from '../text/time.ts';
import { Button } from './button.tsx';

interface FreshNoteProps {
  isLive: boolean;
  /** When what is shown was loaded. */
  atMs: number;
  news?: { added: number; changed: number; hasMissed: boolean };
  onShow?: () => void;
}

/** Whether a screen is kept up to date, and a button for what is new: nothing moves before a click. */
export function FreshNote({ isLive, atMs, news, onShow }: FreshNoteProps) {
  const { zone } = useRoute();
  const { added = 0, changed = 0, hasMissed = false } = news ?? {};
  const parts = [
    (added > 0 || hasMissed) && `${hasMissed ? 'Many' : number(added)} new`,
    changed > 0 && counted(changed, 'change'),
  ].filter(Boolean);
  return (
    <span class="fresh">
      {isLive ? (
        <span class="fresh-live">Live</span>
      ) : (
        `Up to ${timeParts(new Date(atMs).toISOString(), zone).time.slice(0, 5)}`
      )}
      {parts.length > 0 && (
        <Button class="button button-small" onClick={onShow}>{`${parts.join(', ')} \u2013 show`}</Button>
      )}
    </span>
  );
}
