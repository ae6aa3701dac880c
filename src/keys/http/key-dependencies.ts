import type { Authenticate } from '../../http/access/authenticate.ts';
import type { ApiKeyStore } from '../../store/store.ts';
import type { RandomBytes } from '../../values/reference.ts';

export interface ApiKeyDependencies {
  store: ApiKeyStore;
  now: () => number;
  randomBytes: RandomBytes;
  authenticate: Authenticate<'operator'>;
}
