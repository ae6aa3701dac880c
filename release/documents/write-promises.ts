import { writeFileSync } from 'node:fs';
import { promisesPage } from './promises-page.ts';

writeFileSync(new URL('../../docs/promises.md', import.meta.url), promisesPage());
