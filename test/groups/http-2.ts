import { importTests } from '../rig/run/import-tests.ts';

await importTests('http', 2, 3);
