import type { ComponentChildren } from 'preact';
import type { FilterName } from '../state/route.ts';
import { texts } from '../text/language.ts';
import { Button } from './button.tsx';
import { Popover } from './popover.tsx';

interface ChipProps {
  names: readonly FilterName[];
  label?: string;
  text: string;
  faulty: readonly string[];
  onClear?: (() => void) | false | '' | undefined;
  children: ComponentChildren;
}

export function Chip({ names, label, text, faulty, onClear, children }: ChipProps) {
  const clear = (event: MouseEvent) => {
    // Moves the focus, because this button disappears.
    (event.currentTarget as HTMLElement).parentElement?.querySelector('button')?.focus();
    if (onClear) onClear();
  };
  return (
    <span class={onClear ? 'chip-set' : ''}>
      <Popover
        id={`filter-${names[0]}`}
        label={
          <>
            {label && <span class="chip-label">{texts.$named(label)}</span>} {text}
          </>
        }
        name={label ?? text}
        aria-invalid={names.some((name) => faulty.includes(name)) ? 'true' : undefined}
      >
        {children}
      </Popover>
      {onClear && (
        <Button
          class="chip-clear"
          aria-label={texts.$removeFilterOf(text)}
          title={texts.$removeFilter}
          onClick={clear}
        >
          {'\u00d7'}
        </Button>
      )}
    </span>
  );
}
