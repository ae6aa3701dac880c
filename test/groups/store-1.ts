import { importTests } from '../rig/import-tests.ts';

await importTests('store', 1, 3);
