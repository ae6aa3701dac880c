import { importTests } from '../rig/import-tests.ts';

await importTests('cli', 1, 2);
