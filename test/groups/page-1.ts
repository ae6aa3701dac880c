import { importTests } from '../rig/run/import-tests.ts';

await importTests('page', 1, 2);
