import { importTests } from '../rig/run/import-tests.ts';

await importTests('store', 2, 3);
