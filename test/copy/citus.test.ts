import { onCitus } from '../rig/database/citus.ts';
import { citusHarness, postgresHarness, sqliteHarness } from '../rig/store/store-harness.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { refusedCopyContract } from '../store/copy-refused-contract.ts';
import { restoredSourceContract } from '../store/copy-restored-contract.ts';

onCitus('copies to and from Citus', () => {
  copiedContract('PostgreSQL to Citus', postgresHarness, citusHarness, { histories: 1 });
  copiedContract('Citus to SQLite', citusHarness, sqliteHarness, { histories: 1 });
  restoredSourceContract('Citus', citusHarness);
  refusedCopyContract('Citus', citusHarness);
});
