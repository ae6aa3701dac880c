import { useEffect, useState } from 'preact/hooks';
import { texts } from '../text/language.ts';

const SLOW_MS = 5000;

export function SlowNote() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return <span role="status">{isSlow && texts.$slow}</span>;
}
