import type { Authenticate } from '../../http/access/authenticate.ts';
import type { RandomBytes } from '../../values/reference.ts';
import type { ApiKeyStore } from '../api-key-store.ts';

export interface ApiKeyDependencies {
  store: ApiKeyStore;
  now: () => number;
  randomBytes: RandomBytes;
  authenticate: Authenticate<'operator'>;
}
