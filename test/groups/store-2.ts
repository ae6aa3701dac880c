import { importTests } from '../rig/import-tests.ts';

await importTests('store', 2, 3);
