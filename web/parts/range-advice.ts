import { h } from 'preact';
import type { Filter } from '../state/route.ts';
import { type RangeAdvice as Advice, MAX_RANGE_DAYS } from '../text/date-range.ts';

interface RangeAdviceProps {
  advice: Advice;
  onUse(range: Filter): void;
}

/** Warns of a range that the service would refuse, and offers ranges that it accepts. */
export function RangeAdvice({ advice, onUse }: RangeAdviceProps) {
  return h(
    'div',
    { class: 'range-advice', id: 'range-advice', 'aria-live': 'polite' },
    advice.kind === 'inverted' &&
      h('p', { class: 'advice' }, 'From is after To. Enter the earlier day as From.'),
    advice.kind === 'long' &&
      h(
        'p',
        { class: 'advice' },
        `From and To are ${advice.days} days apart, and a list covers at most ${MAX_RANGE_DAYS}. Use `,
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
        '. A CSV file can cover a longer range.',
      ),
  );
}
