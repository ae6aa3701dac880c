import type { Logger } from 'pino';
import type { AccountLister } from '../../accounts/account.ts';
import type { AuditContext } from '../../audit/http/request-origin.ts';
import type { PageContext } from '../../http/operations/page.ts';
import type { ApiKeyStore } from '../../keys/api-key-store.ts';
import type { KeyMetrics } from '../../keys/http/key-metrics.ts';
import type { RateLimiter } from '../../keys/http/rate-limit.ts';
import type { RandomBytes } from '../../values/reference.ts';
import type { CookieSealer } from '../sealed-cookies.ts';
import type { SignInProvider, StaffSettings } from '../sign-in.ts';
import type { Cookie } from './cookies.ts';
import type { StaffMetrics } from './staff-metrics.ts';

/** What the pages for staff are made from. */
export interface StaffContext extends AuditContext, PageContext {
  settings: StaffSettings;
  provider: SignInProvider;
  sealer: CookieSealer;
  /** `signedOut`: somebody signed out in the browser, so that the provider has to ask who is there. It opens nothing, so it is not sealed. */
  cookies: { pending: Cookie; signedIn: Cookie; signedOut: Cookie };
  store: AccountLister & ApiKeyStore;
  limiter: Pick<RateLimiter, 'countFailure' | 'uncountFailure'>;
  randomBytes: RandomBytes;
  logger: Logger;
  metrics: StaffMetrics & KeyMetrics;
}
