import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function lastStage() {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(lines.findLastIndex((line) => line.startsWith('FROM '))).map((line) => {
    const [name = '', ...rest] = line.split(' ');
    return { name, text: rest.join(' ') };
  });
}

export const IMAGE_USER = 1000;

export const imageEnv: Record<string, string> = Object.fromEntries(
  lastStage()
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text: pairs }) => pairs.split(' ').map((pair) => pair.split('=') as [string, string])),
);

export const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'));

export function commandOf(name: string): string[] {
  const text = lastStage().find((instruction) => instruction.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('[')));
}
