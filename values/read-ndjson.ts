import { isJsonObjectText, parseJson, RepeatedName } from './parse-json.ts';
import { quote } from './quote.ts';
import { readLines } from './read-lines.ts';
import type { SourceLine } from './source-line.ts';

export const NDJSON_FORM = 'NDJSON has one object on each line';

export async function* readNdjson(input: AsyncIterable<Uint8Array>): AsyncGenerator<SourceLine[]> {
  let line = 0;
  for await (const texts of readLines(input, NDJSON_FORM)) {
    yield texts.flatMap((text) => readNdjsonLine(text, ++line) ?? []);
  }
}

export function readNdjsonLine(text: string, line: number): SourceLine | undefined {
  if (text.trim() === '') return undefined;
  let record: unknown;
  try {
    record = parseJson(text);
  } catch (error) {
    if (error instanceof RepeatedName)
      return { line, fault: `has the name ${quote(error.repeated)} more than once; write it once` };
    return { line, fault: `is not JSON: ${(error as Error).message}; write one object on each line` };
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    const twice = isJsonObjectText(record) ? ', but a text with JSON: it was encoded twice' : '';
    return { line, fault: `is not a JSON object${twice}; write one object on each line` };
  }
  return { line, record: record as Record<string, unknown> };
}
