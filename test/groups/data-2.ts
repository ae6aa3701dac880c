import { importTests } from '../rig/run/import-tests.ts';

await importTests('data', 2, 2);
