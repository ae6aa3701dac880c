import { writeFileSync } from 'node:fs';
import { foundPage, promisesPage } from './promises-page.ts';

writeFileSync(new URL('../docs/promises.md', import.meta.url), promisesPage());
writeFileSync(new URL('../docs/found.md', import.meta.url), foundPage());
