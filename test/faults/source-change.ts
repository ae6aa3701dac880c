import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface SourceChange {
  file: string;
  from: string;
  to: string;
}

export function brokenText({ file, from, to }: SourceChange): string {
  const text = readFileSync(ROOT + file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
  return text.replace(from, () => to);
}
