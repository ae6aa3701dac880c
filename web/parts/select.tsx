import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface SelectProps {
  id?: string;
  'aria-label'?: string;
  class?: string;
  value: string;
  choices: readonly (readonly [value: string, text?: ComponentChildren])[];
  onChoose(value: string): void;
}

/**
 * When a list appears, Chromium reports the chosen item, and a screen reader would move there and speak the
 * item. Chromium does not report the items of an inert list. So a new list is inert for NEW_MS.
 */
const NEW_MS = 500;

export function Select({ choices, onChoose, ...attributes }: SelectProps) {
  const [isNew, setIsNew] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsNew(false), NEW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <select
      inert={isNew}
      onChange={(event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value)}
      {...attributes}
    >
      {choices.map(([value, text = value]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
