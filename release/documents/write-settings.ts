import { writeFileSync } from 'node:fs';
import { settingsPage } from './settings-page.ts';

writeFileSync(new URL('../../docs/settings.md', import.meta.url), settingsPage());
