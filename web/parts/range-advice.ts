import { h } from 'preact';
import type { Filter } from '../state/route.ts';
import { type RangeAdvice as Advice, MAX_RANGE_DAYS } from '../text/date-range.ts';

interface RangeAdviceProps {
  advice: Advice;
  onUse(range: Filter): void;
}

/** Tells of a range that the service would refuse before it is asked, and what would do. */
export function RangeAdvice({ advice, onUse }: RangeAdviceProps) {
  return h(
    'div',
    { class: 'range-advice', id: 'range-advice', 'aria-live': 'polite' },
    advice.kind === 'inverted' &&
      h('p', { class: 'advice' }, 'From lies after To. Give the earlier day as From.'),
    advice.kind === 'long' &&
      h(
        'p',
        { class: 'advice' },
        `These days are ${advice.days} days apart, and a list spans at most ${MAX_RANGE_DAYS}. `,
        h(
          'button',
          { type: 'button', class: 'link', onClick: () => onUse({ to: advice.latestTo }) },
          `To ${advice.latestTo}`,
        ),
        ' or ',
        h(
          'button',
          { type: 'button', class: 'link', onClick: () => onUse({ from: advice.earliestFrom }) },
          `From ${advice.earliestFrom}`,
        ),
        ' would do. Only the CSV file may span more.',
      ),
  );
}
