import { importTests } from '../rig/run/import-tests.ts';

await importTests('data', 1, 2);
