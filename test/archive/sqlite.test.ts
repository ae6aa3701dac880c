import { after } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { archiveContract } from './archive-contract.ts';

const folder = temporaryFolder();
after(folder.remove);
let databases = 0;

archiveContract('SQLite', async () => `sqlite:${folder.path}/${++databases}.db`);
