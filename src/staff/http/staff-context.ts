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
  /**
   * `signedOut` means that after a sign-out in this browser, the provider must ask for credentials again. It
   * grants nothing, so it is not sealed.
   */
  cookies: { pending: PendingCookies; signedIn: Cookie; signedOut: Cookie };
  store: AccountLister & ApiKeyStore;
  limiter: Pick<RateLimiter, 'countFailure' | 'uncountFailure'>;
  randomBytes: RandomBytes;
  logger: Logger;
  metrics: StaffMetrics & KeyMetrics;
}

/** Each pending sign-in has its own cookie, so that a sign-in in one tab does not end that in another. */
interface PendingCookies {
  of(state: string): Cookie;
  /** Forgets all pending sign-ins of a browser if they are more than a person would begin. */
  bound(request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * A cookie that scripts can't read. Behind TLS, its name binds it to the host and to TLS, so that no other
 * site of the domain can set it.
 */
interface Cookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string, forMs: number): void;
  clear(reply: FastifyReply): void;
}

/** Declares a cookie. With `isSecure`, browsers reach the listener over https. */
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

const MOST_PENDING = 8;
const STATE_IN_NAME = /^[A-Za-z0-9]{8}/;

/** Declares the cookies of pending sign-ins. Their names begin with `base`. */
export function declarePendingCookies(base: string, isSecure: boolean): PendingCookies {
  const of = (state: string) => declareCookie(`${base}-${STATE_IN_NAME.exec(state)?.[0] ?? ''}`, isSecure);
  return {
    of,
    bound: (request, reply) => {
      const states = cookiesOf(request).flatMap((pair) => pair.split('=')[0]?.split(`${base}-`)[1] ?? []);
      if (states.length >= MOST_PENDING) for (const state of states) of(state).clear(reply);
    },
  };
}

/** A query parameter; empty if it is absent or repeated. */
export function queryText({ query }: FastifyRequest, name: string): string {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}
