import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../text/language.ts';

interface DayInputProps {
  id: string;
  day: string | undefined;
  onDay(day: string): void;
  'aria-describedby'?: string;
  'aria-invalid'?: 'true' | undefined;
}

/** While a user types 2026, the year is 2, then 20, then 202. So a year before 1000 is unfinished. */
const FIRST_TYPED = '1000';
const PAUSE_MS = 700;

export function DayInput({ day = '', onDay, ...attributes }: DayInputProps) {
  const [typed, setTyped] = useState(day);
  const [isPart, setIsPart] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => {
    setTyped(day);
    setIsPart(false);
  }, [day]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (isSure: boolean) => {
    clearTimeout(timer.current);
    // `blur` also occurs when the field is removed together with its screen.
    if (input.current === null) return;
    const { value, validity } = input.current;
    setIsPart(isSure && validity.badInput);
    if (value === day || validity.badInput || (!isSure && value !== '' && value < FIRST_TYPED)) return;
    onDay(value);
  };
  const latest = useRef(settle);
  latest.current = settle;
  return (
    <>
      <input
        ref={input}
        type="date"
        min="0001-01-01"
        max="9999-12-31"
        value={typed}
        onInput={() => {
          clearTimeout(timer.current);
          setIsPart(false);
          setTyped((input.current as HTMLInputElement).value);
          timer.current = setTimeout(() => latest.current(false), PAUSE_MS);
        }}
        onKeyDown={({ key }: KeyboardEvent) => key === 'Enter' && settle(true)}
        onBlur={() => settle(true)}
        {...attributes}
        {...(isPart && { 'aria-invalid': 'true' as const })}
      />
      {isPart && (
        <p class="advice" role="alert">
          {texts.$partOfDay}
        </p>
      )}
    </>
  );
}
