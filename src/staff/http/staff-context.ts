import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { RandomBytes } from '../../../values/reference.ts';
import type { AccountLister } from '../../accounts/account.ts';
import type { AuditContext } from '../../audit/http/request-origin.ts';
import type { PageContext } from '../../http/operations/page.ts';
import type { RateLimiter } from '../../http/overload/rate-limit.ts';
import type { KeyMetrics } from '../../keys/http/key-metrics.ts';
import type { ApiKeyStore } from '../../keys/keys.ts';
import type { CookieSealer } from '../sealed-cookies.ts';
import type { SignInProvider, StaffSettings } from '../sign-in.ts';
import type { StaffMetrics } from './staff-metrics.ts';

export interface StaffContext extends AuditContext, PageContext {
  settings: StaffSettings;
  provider: SignInProvider;
  sealer: CookieSealer;
  /** `signedOut` is not sealed, because it grants nothing. */
  cookies: { pending: PendingCookies; signedIn: Cookie; signedOut: Cookie };
  store: AccountLister & ApiKeyStore;
  limiter: Pick<RateLimiter, 'countFailure' | 'uncountFailure'>;
  randomBytes: RandomBytes;
  logger: Logger;
  metrics: StaffMetrics & KeyMetrics;
}

/** Each pending sign-in has its own cookie, so that sign-ins in two tabs do not end each other. */
interface PendingCookies {
  of(state: string): Cookie;
  clearAllIfTooMany(request: FastifyRequest, reply: FastifyReply): void;
}

/** Behind TLS, the name begins with __Host-, so that no other site of the domain can set the cookie. */
interface Cookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string, forMs: number): void;
  clear(reply: FastifyReply): void;
}

export function declareCookie(base: string, isSecure: boolean): Cookie {
  const name = isSecure ? `__Host-${base}` : base;
  const write = (reply: FastifyReply, value: string, seconds: number) =>
    // Lax, not Strict, because the provider's redirect comes from another site.
    void reply.header(
      'set-cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    );
  return {
    read: (request) =>
      cookiesOf(request)
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    set: (reply, value, forMs) => write(reply, value, Math.floor(forMs / 1000)),
    clear: (reply) => write(reply, '', 0),
  };
}

const cookiesOf = ({ headers }: FastifyRequest): readonly string[] => (headers.cookie ?? '').split('; ');

const TOO_MANY_PENDING = 8;
const STATE_IN_NAME = /^[A-Za-z0-9]{8}/;

export function declarePendingCookies(base: string, isSecure: boolean): PendingCookies {
  const of = (state: string) => declareCookie(`${base}-${STATE_IN_NAME.exec(state)?.[0] ?? ''}`, isSecure);
  return {
    of,
    clearAllIfTooMany: (request, reply) => {
      const states = cookiesOf(request).flatMap((pair) => pair.split('=')[0]?.split(`${base}-`)[1] ?? []);
      if (states.length >= TOO_MANY_PENDING) for (const state of states) of(state).clear(reply);
    },
  };
}

export function queryText({ query }: FastifyRequest, name: string): string {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}
