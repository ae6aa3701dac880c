const LINE_CHARACTERS = 190;

export function wrapped(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string;
    if (last === '' || last.length + word.length < LINE_CHARACTERS)
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}
