import { sentence } from './sentence.ts';
import { LINE_MAX_CHARACTERS, UnreadableSource } from './source-line.ts';

/**
 * The lines of a text in UTF-8 without their line ends, one batch for each chunk of the input. The last line needs no line
 * end. A byte order mark is removed.
 *
 * Throws: UnreadableSource if a line is too long, after the lines before it. `reason` is the end of its message.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  reason: string,
  maxCharacters = LINE_MAX_CHARACTERS,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let unfinished = '';
  let line = 0;

  for await (const chunk of input) {
    const texts = (unfinished + decoder.decode(chunk, { stream: true })).split('\n');
    unfinished = texts.pop() ?? '';
    const tooLong = [...texts, unfinished].findIndex((text) => text.length > maxCharacters);
    yield tooLong === -1 ? texts : texts.slice(0, tooLong);
    if (tooLong !== -1) {
      throw new UnreadableSource(
        `line ${line + tooLong + 1} is longer than ${maxCharacters} characters; ${sentence(reason)}`,
      );
    }
    line += texts.length;
  }
  yield [unfinished + decoder.decode()];
}
