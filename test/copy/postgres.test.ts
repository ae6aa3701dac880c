import { postgresHarness, sqliteHarness } from '../rig/store-harness.ts';
import { someInTier } from '../rig/tier.ts';
import { checkWhileFollowingContract } from '../store/check-while-following-contract.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { contradictionsContract } from '../store/copy-contradictions-contract.ts';

copiedContract('SQLite to PostgreSQL', sqliteHarness, postgresHarness, { histories: 1 });
const FROM_POSTGRES = [
  { name: 'PostgreSQL to SQLite', target: sqliteHarness },
  { name: 'PostgreSQL to PostgreSQL', target: postgresHarness },
];
for (const { name, target } of someInTier(FROM_POSTGRES, 1))
  copiedContract(name, postgresHarness, target, { histories: 1 });
contradictionsContract('PostgreSQL', sqliteHarness, postgresHarness);
checkWhileFollowingContract('SQLite to PostgreSQL', sqliteHarness, postgresHarness);
