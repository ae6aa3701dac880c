import { LINE_MAX_CHARACTERS, UnreadableSource } from './source-line.ts';

/**
 * The lines of a text in UTF-8 without their line ends, some for each piece that is read: the last one too where it has no
 * line end. A mark of the byte order is left out.
 *
 * Throws: UnreadableSource, after the lines before it, where a line is too long. `reason` ends its sentence.
 */
export async function* readLines(input: AsyncIterable<Uint8Array>, reason: string): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;

  for await (const chunk of input) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    const tooLong = [...texts, rest].findIndex((text) => text.length > LINE_MAX_CHARACTERS);
    yield tooLong === -1 ? texts : texts.slice(0, tooLong);
    if (tooLong !== -1) {
      throw new UnreadableSource(
        `line ${line + tooLong + 1} is longer than ${LINE_MAX_CHARACTERS} characters; ${reason}.`,
      );
    }
    line += texts.length;
  }
  yield [rest + decoder.decode()];
}
