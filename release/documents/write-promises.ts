import { readFileSync, writeFileSync } from 'node:fs';
import { promisesPage, securityText } from './promises-page.ts';

const SECURITY = new URL('../../SECURITY.md', import.meta.url);

writeFileSync(new URL('../../docs/promises.md', import.meta.url), promisesPage());
writeFileSync(SECURITY, securityText(readFileSync(SECURITY, 'utf8')));
