import { importTests } from '../rig/run/import-tests.ts';

await importTests('client');
