import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { archiveContract } from './archive-contract.ts';

archiveContract('PostgreSQL', () => makePostgresDatabase());
