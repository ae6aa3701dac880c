import { importTests } from '../rig/import-tests.ts';

await importTests('cli', 2, 2);
