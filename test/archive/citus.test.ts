import { onCitus, takeCitusDatabase } from '../rig/database/citus.ts';
import { archiveContract } from './archive-contract.ts';
import { sealedContract } from './sealed-contract.ts';

onCitus('archiving on Citus', () => {
  archiveContract('Citus', takeCitusDatabase);
  sealedContract('Citus', takeCitusDatabase);
});
