import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { Button } from './button.tsx';

export function useMore<Row>(
  rows: readonly Row[],
  first: number,
  step: number,
): [shown: readonly Row[], more: ComponentChildren] {
  const [count, setCount] = useState(first);
  const more = rows.length > count && (
    <p class="read-note">
      <span>{texts.$shown(number(count), number(rows.length))}</span>
      <Button onClick={() => setCount(count + step)}>
        {texts.$showMore(number(Math.min(step, rows.length - count)))}
      </Button>
    </p>
  );
  return [rows.slice(0, count), more];
}
