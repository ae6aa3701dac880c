import { importTests } from '../rig/import-tests.ts';

await importTests('http', 1, 3);
