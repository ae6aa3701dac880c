import { importTests } from '../rig/run/import-tests.ts';

await importTests('store', 3, 3);
