import { sentence } from './sentence.ts';
import { LINE_MAX_CHARACTERS, UnreadableSource } from './source-line.ts';

/**
 * If UTF-16 is decoded as UTF-8, the text begins with two U+FFFD, or one of its first two characters is NUL.
 */
const isUtf16 = (text: string): boolean => text.startsWith('\uFFFD\uFFFD') || text.slice(0, 2).includes('\0');

/**
 * Yields the lines of each chunk as a batch, without a byte order mark. Throws UnreadableSource if the text
 * is UTF-16 or a line is too long. The lines before a long line are yielded first.
 * @param reason Why a line may be too long, such as "perhaps it is another file".
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
    if (line === 0 && isUtf16(texts[0] ?? ''))
      throw new UnreadableSource('line 1 is in UTF-16; write all lines in UTF-8.');
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
