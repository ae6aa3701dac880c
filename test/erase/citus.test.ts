import { onCitus, takeCitusDatabase } from '../rig/database/citus.ts';
import { eraseContract } from './erase-contract.ts';
import { suspendedContract } from './suspended-contract.ts';

onCitus('erasing on Citus', () => {
  eraseContract('Citus', takeCitusDatabase);
  suspendedContract('Citus', takeCitusDatabase);
});
