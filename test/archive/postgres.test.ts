import { makePostgresDatabase } from '../rig/postgres.ts';
import { archiveContract } from './archive-contract.ts';

archiveContract('PostgreSQL', () => makePostgresDatabase());
