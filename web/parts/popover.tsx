import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface PopoverProps {
  id: string;
  class?: string;
  label: ComponentChildren;
  name: string;
  'aria-invalid'?: 'true' | undefined;
  isDisabled?: boolean;
  children: ComponentChildren;
}

export function Popover({ id, label, name, isDisabled = false, children, ...attributes }: PopoverProps) {
  const focusFirst = (event: Event) => {
    const popover = event.currentTarget as HTMLElement;
    if (popover.matches(':popover-open'))
      popover.querySelector<HTMLElement>('[aria-pressed="true"], button, input, select')?.focus();
  };
  return (
    <>
      <Button
        class="chip"
        {...(isDisabled ? { 'aria-disabled': true } : { popovertarget: id })}
        {...attributes}
      >
        <span class="chip-text">{label}</span>
        <Icon name="down" />
      </Button>
      <div id={id} class="popover" popover role="dialog" aria-label={name} onToggle={focusFirst}>
        {children}
      </div>
    </>
  );
}

interface ChoicesProps {
  popover: string;
  choices: readonly (readonly [value: string, text: ComponentChildren])[];
  chosen: string;
  onChoose(value: string): void;
}

export const Choices = ({ popover, choices, chosen, onChoose }: ChoicesProps) => (
  <div class="choices">
    {choices.map(([value, text]) => (
      <Button
        key={value}
        class="choice"
        aria-pressed={value === chosen}
        popovertarget={popover}
        popovertargetaction="hide"
        onClick={() => onChoose(value)}
      >
        {text}
      </Button>
    ))}
  </div>
);
