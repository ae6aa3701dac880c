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
 * A new list is inert for this time. Otherwise, Chromium would report the chosen item of the list to a screen
 * reader, and the screen reader would move to the item and speak it.
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
