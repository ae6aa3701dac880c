import { someInTier } from '../rig/run/tier.ts';
import { postgresHarness, sqliteHarness } from '../rig/store/store-harness.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { copiedLivesContract } from '../store/copied-lives-contract.ts';
import { refusedCopyContract } from '../store/copy-refused-contract.ts';
import { restoredSourceContract } from '../store/copy-restored-contract.ts';

const COPIES = [
  { name: 'SQLite to PostgreSQL', source: sqliteHarness, target: postgresHarness },
  { name: 'PostgreSQL to SQLite', source: postgresHarness, target: sqliteHarness },
  { name: 'PostgreSQL to PostgreSQL', source: postgresHarness, target: postgresHarness },
];
for (const { name, source, target } of someInTier(COPIES, 1))
  copiedContract(name, source, target, { histories: 1 });
for (const { name, source, target } of COPIES.slice(0, 2)) copiedLivesContract(name, source, target);
restoredSourceContract('PostgreSQL', postgresHarness);
refusedCopyContract('PostgreSQL', postgresHarness);
