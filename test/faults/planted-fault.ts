import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Replaces a text that occurs once in a file. */
export interface SourceChange {
  file: string;
  from: string;
  to: string;
}

/** A test by a part of its name that no other test of its file has. */
export interface NamedTest {
  file: string;
  test: string;
}

/** A change that breaks a promise, and the test that must fail. */
export interface PlantedFault extends SourceChange {
  name: string;
  foundBy: NamedTest;
  /** A part of the error of the test, if it is none of an assertion. */
  error?: string;
}

/** The text of the broken file. */
export function brokenText({ file, from, to }: SourceChange): string {
  const text = readFileSync(ROOT + file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
  return text.replace(from, () => to);
}
