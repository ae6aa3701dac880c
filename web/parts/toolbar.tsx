import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ToolbarProps {
  class: string;
  label: string;
  children: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  Home: -Infinity,
  End: Infinity,
};

/** The Tab key reaches one control, and arrow keys reach the others. Popovers and tables are not affected. */
export function Toolbar({ class: name, label, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const current = useRef<Element>(undefined);
  const controls = () =>
    [...(bar.current as HTMLElement).querySelectorAll<HTMLElement>('button, a')].filter(
      (one) => one.closest('.popover, .totals') === null && one.checkVisibility(),
    );
  const update = () => {
    const all = controls();
    const stop = all.find((one) => one === current.current) ?? all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  };
  useLayoutEffect(update);
  const move = (event: KeyboardEvent) => {
    const all = controls();
    const from = all.indexOf(event.target as HTMLElement);
    const step = STEPS[event.key];
    if (step === undefined || from === -1) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, from + step))]?.focus();
  };
  const remember = ({ target }: FocusEvent) => {
    if (!controls().includes(target as HTMLElement)) return;
    current.current = target as Element;
    update();
  };
  return (
    <div class={name} role="toolbar" aria-label={label} ref={bar} onKeyDown={move} onFocusIn={remember}>
      {children}
    </div>
  );
}
