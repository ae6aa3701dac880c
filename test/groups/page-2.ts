import { importTests } from '../rig/import-tests.ts';

await importTests('page', 2, 2);
