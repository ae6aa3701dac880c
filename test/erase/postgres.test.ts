import { makePostgresDatabase } from '../rig/postgres.ts';
import { eraseContract } from './erase-contract.ts';

eraseContract('PostgreSQL', () => makePostgresDatabase());
