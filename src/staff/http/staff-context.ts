import type { FastifyReply, FastifyRequest } from 'fastify';
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

/** A cookie that scripts cannot read. Behind TLS its name binds it to the host and to TLS: no other site of the domain can set it. */
interface Cookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string, forMs: number): void;
  clear(reply: FastifyReply): void;
}

/** Declares a cookie of a listener that browsers reach over https, or not. */
export function declareCookie(base: string, isSecure: boolean): Cookie {
  const name = isSecure ? `__Host-${base}` : base;
  const write = (reply: FastifyReply, value: string, seconds: number) =>
    // Lax and not Strict: the provider's redirect comes from another site.
    void reply.header(
      'set-cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    );
  return {
    read: ({ headers }) => {
      const pairs = (headers.cookie ?? '').split('; ');
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
    },
    set: (reply, value, forMs) => write(reply, value, Math.floor(forMs / 1000)),
    clear: (reply) => write(reply, '', 0),
  };
}
