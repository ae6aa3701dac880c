import { importTests } from '../rig/run/import-tests.ts';

await importTests('http', 1, 3);
