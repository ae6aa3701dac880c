import { importTests } from '../rig/import-tests.ts';

await importTests('data', 2, 2);
