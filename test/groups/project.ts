import { importTests } from '../rig/import-tests.ts';

await importTests('project');
