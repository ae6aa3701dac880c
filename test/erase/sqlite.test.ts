import { after } from 'node:test';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { eraseContract } from './erase-contract.ts';

const folder = temporaryFolder();
after(folder.remove);
let databases = 0;

eraseContract('SQLite', async () => `sqlite:${folder.path}/${++databases}.db`);
