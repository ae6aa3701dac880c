import type { RandomBytes } from '../../../core/reference.ts';
import type { ApiKeyStore } from '../../../core/store.ts';
import type { Authenticate } from '../../access/authenticate.ts';

export interface ApiKeyDependencies {
  store: ApiKeyStore;
  now: () => number;
  randomBytes: RandomBytes;
  authenticate: Authenticate<'operator'>;
}
