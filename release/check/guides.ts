import assert from 'node:assert/strict';
import { report } from './programs.ts';

interface GuideOptions {
  label: string;
  keyId: string;
  shell: (line: string) => Promise<string>;
}

const INTERACTIVE = /transactions erase/;

export async function checkGuides(operatorUrl: string, { label, keyId, shell }: GuideOptions): Promise<void> {
  const get = async (path: string) => {
    const response = await fetch(operatorUrl + path);
    assert.equal(response.status, 200, path);
    return response.text();
  };
  const list = await get('/guides');
  const names = [...list.matchAll(/<dt><a href="\/guides\/([^"]+)"/g)].map(([, name = '']) => name);
  assert.ok(names.length > 20, list);
  for (const name of names) {
    const markdown = await get(`/guides/${name}.md`);
    assert.doesNotMatch(markdown, /npx --no-install transactions (?!-)|npm start/, name);
    await get(`/guides/${name}`);
  }
  const run = commandsOf(await get('/guides/operating.md'), label).filter((line) => !INTERACTIVE.test(line));
  assert.ok(run.length > 5, run.join('\n'));
  for (const line of run) await shell(line.replaceAll('KEY_ID', keyId));
  report(`${names.length} guides, and ${run.length} of their commands`);
}

function commandsOf(guide: string, label: string): string[] {
  const blocks = guide.matchAll(new RegExp(`\\*${label}:\\*\\n\\n\`\`\`\\w*\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].flatMap(([, block = '']) => block.trim().split('\n'));
}

export async function checkRestore(
  operatorUrl: string,
  { label, shell }: Pick<GuideOptions, 'label' | 'shell'>,
): Promise<void> {
  const response = await fetch(`${operatorUrl}/guides/backup.md`);
  const lines = commandsOf(await response.text(), label);
  assert.match(lines[0] ?? '', /backup backup\.db$/);
  assert.ok(lines.length > 3, lines.join('\n'));
  for (const line of lines) await shell(line);
}
