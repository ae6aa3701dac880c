import { postgresHarness, sqliteHarness } from '../rig/store-harness.ts';
import { checkWhileFollowingContract } from '../store/check-while-following-contract.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { contradictionsContract } from '../store/copy-contradictions-contract.ts';

copiedContract('SQLite to PostgreSQL', sqliteHarness, postgresHarness, { histories: 1 });
copiedContract('PostgreSQL to SQLite', postgresHarness, sqliteHarness, { histories: 1 });
copiedContract('PostgreSQL to PostgreSQL', postgresHarness, postgresHarness, { histories: 1 });
contradictionsContract('PostgreSQL', sqliteHarness, postgresHarness);
checkWhileFollowingContract('SQLite to PostgreSQL', sqliteHarness, postgresHarness);
