import { writeFileSync } from 'node:fs';
import { commandPages } from './commands-page.ts';

for (const [name, text] of Object.entries(await commandPages()))
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), text);
