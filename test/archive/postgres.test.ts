import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { archiveContract } from './archive-contract.ts';
import { sealedContract } from './sealed-contract.ts';

archiveContract('PostgreSQL', () => makePostgresDatabase());
sealedContract('PostgreSQL', () => makePostgresDatabase());
