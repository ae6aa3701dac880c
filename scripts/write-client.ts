/** Generates the module of the client that the service serves: npm run client. */
import { writeFileSync } from 'node:fs';
import { clientModuleTexts } from './client-module.ts';

for (const [path, text] of Object.entries(clientModuleTexts()))
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
