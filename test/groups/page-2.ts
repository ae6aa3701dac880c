import { importTests } from '../rig/run/import-tests.ts';

await importTests('page', 2, 2);
