import { LINE_MAX_CHARACTERS, type SourceLine, UnreadableSource } from './source-line.ts';

/** The entries of a file with one JSON object on each line, a batch for each piece that is read. Blank lines are passed over. */
export async function* readNdjson(input: AsyncIterable<Uint8Array>): AsyncGenerator<SourceLine[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;

  for await (const chunk of input) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    const tooLong = [...texts, rest].findIndex((text) => text.length > LINE_MAX_CHARACTERS);
    const whole = tooLong === -1 ? texts : texts.slice(0, tooLong);
    yield whole.flatMap((text) => readLine(text, ++line));
    if (tooLong !== -1) {
      throw new UnreadableSource(
        `line ${line + 1} is longer than ${LINE_MAX_CHARACTERS} characters; NDJSON has one object on each line.`,
      );
    }
  }
  yield readLine(rest + decoder.decode(), ++line);
}

function readLine(text: string, line: number): SourceLine[] {
  if (text.trim() === '') return [];
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    return [{ line, fault: `is not JSON: ${(error as Error).message}; write one object on each line` }];
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    return [{ line, fault: 'is not a JSON object; write one object on each line' }];
  }
  return [{ line, record: record as Record<string, unknown> }];
}
