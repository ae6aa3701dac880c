import { useEffect } from 'preact/hooks';
import { announceLive } from '../state/announce.ts';
import type { NewSum } from '../state/news-of-page.ts';
import { useRoute } from '../state/use-route.ts';
import { groupedAmount } from '../text/amount.ts';
import { counted } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { statusText } from '../text/status.ts';
import { timeParts } from '../text/time.ts';
import { Button } from './button.tsx';

interface News {
  added: number;
  changed: number;
  hasMissed: boolean;
  hasDays: boolean;
  sums: readonly NewSum[];
}

interface FreshNoteProps {
  isLive: boolean;
  atMs: number;
  news?: News;
  onShow?: () => void;
}

const MAX_SUMS = 2;

export function FreshNote({ isLive, atMs, news, onShow }: FreshNoteProps) {
  const { zone } = useRoute();
  const { minute } = timeParts(atMs, zone);
  const { added = 0, changed = 0, hasMissed = false, hasDays = false, sums = [] } = news ?? {};
  const parts = hasMissed
    ? [texts.$manyChanges]
    : [added > 0 && counted(added, texts.$recorded), changed > 0 && counted(changed, texts.$change)].filter(
        Boolean,
      );
  const said = parts.length > 0 ? texts.$newsSince(parts.join(', '), minute, hasDays) : '';
  useEffect(() => {
    if (said) announceLive(said);
  }, [said]);
  return (
    <span class="fresh">
      {isLive ? <span class="fresh-live">{texts.$live}</span> : texts.$upTo(minute)}
      {said && (
        <>
          <Button class="button button-small" onClick={onShow}>
            {texts.$showNews(said)}
          </Button>
          {!hasMissed && <NewSums sums={sums} />}
        </>
      )}
    </span>
  );
}

const NewSums = ({ sums }: { sums: readonly NewSum[] }) => (
  <span class="fresh-sums">
    {sums.slice(0, MAX_SUMS).map(({ currencyCode, status, before, now }) => (
      <span key={`${currencyCode} ${status}`}>
        {statusText(status)} {groupedAmount(before, currencyCode)} {'\u2192'}{' '}
        {groupedAmount(now, currencyCode)} {currencyCode}
      </span>
    ))}
    {sums.length > MAX_SUMS && '\u2026'}
  </span>
);
