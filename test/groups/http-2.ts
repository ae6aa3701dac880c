import { importTests } from '../rig/import-tests.ts';

await importTests('http', 2, 3);
