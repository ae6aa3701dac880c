import { importTests } from '../rig/import-tests.ts';

await importTests('page', 1, 2);
