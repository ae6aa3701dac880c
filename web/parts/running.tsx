import { texts } from '../text/language.ts';
import { Button } from './button.tsx';

interface RunningProps {
  label: string;
  text: string;
  value: number | undefined;
  max: number | undefined;
  onCancel(): void;
}

export const Running = ({ label, text, value, max, onCancel }: RunningProps) => (
  <section class="running" aria-label={label}>
    <p id="running">{text}</p>
    <progress aria-labelledby="running" value={value} max={max} />
    <Button onClick={onCancel}>{texts.$cancel}</Button>
  </section>
);
