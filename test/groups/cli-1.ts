import { importTests } from '../rig/run/import-tests.ts';

await importTests('cli', 1, 2);
