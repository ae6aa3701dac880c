import type { FastifyInstance } from 'fastify';
import { createCookieSealer } from '../sealed-cookies.ts';
import type { SignInProvider, StaffSettings } from '../sign-in.ts';
import { accountRoutes } from './account-routes.ts';
import { looksRoutes } from './looks-routes.ts';
import { answerWithPages } from './refusal.ts';
import { signInRoutes, signOutRoutes } from './sign-in-routes.ts';
import { createStaffAccess } from './staff-access.ts';
import type { StaffContext } from './staff-context.ts';
import { declareCookie, declarePendingCookies } from './staff-context.ts';

export interface StaffSignIn {
  settings: StaffSettings;
  provider: SignInProvider;
}

export function staffRoutes(
  app: FastifyInstance,
  { settings, provider }: StaffSignIn,
  cursorSecrets: readonly string[],
  shared: Omit<StaffContext, 'settings' | 'provider' | 'sealer' | 'cookies'>,
): void {
  const isSecure = new URL(settings.redirectUrl).protocol === 'https:';
  const context: StaffContext = {
    ...shared,
    settings,
    provider,
    sealer: createCookieSealer(cursorSecrets, shared.randomBytes),
    cookies: {
      pending: declarePendingCookies('staff-sign-in', isSecure),
      signedIn: declareCookie('staff', isSecure),
      signedOut: declareCookie('staff-signed-out', isSecure),
    },
  };
  app.register(async (scope) => {
    readForms(scope);
    answerWithPages(scope);
    const access = createStaffAccess(context);
    const begin = signInRoutes(scope, context, access);
    signOutRoutes(scope, context, access);
    accountRoutes(scope, context, access, begin);
    looksRoutes(scope, context, access, begin);
  });
}

/** A body of another type has no form token, so it is refused. */
function readForms(scope: FastifyInstance): void {
  const parseAs = { parseAs: 'string' } as const;
  scope.addContentTypeParser('application/x-www-form-urlencoded', parseAs, (_request, text, done) =>
    done(null, new URLSearchParams(String(text))),
  );
}
