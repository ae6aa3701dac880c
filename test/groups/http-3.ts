import { importTests } from '../rig/import-tests.ts';

await importTests('http', 3, 3);
