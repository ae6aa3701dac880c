import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { explainPerson } from '../../keys/session.ts';
import { SIGN_IN_MS, SIGNED_IN_MS } from '../sealed-cookies.ts';
import { SignInFailed } from '../sign-in.ts';
import { type Claims, hasClaimOfRoles, PATHS, rolesOf, type StaffRole, textClaim } from '../staff.ts';
import { sendHtml } from './html-page.ts';
import { messagePage, Refusal, type RefusalText, refusalOf } from './refusal.ts';
import type { StaffAccess } from './staff-access.ts';
import { queryText, type StaffContext } from './staff-context.ts';
import type { SignInOutcome } from './staff-metrics.ts';
import { type StaffTexts, textsFor } from './staff-texts.ts';

const FAILURES: Readonly<Record<SignInFailed['failure'], Parameters<typeof refusalOf>>> = {
  stale: [400, 'stale', 'signInAgain', PATHS.staff],
  refused: [403, 'refused', 'asSomebodyElse', PATHS.signIn],
  provider_unavailable: [503, 'unavailable', 'tryAgain', PATHS.staff],
  provider_invalid: [502, 'invalid', 'tryAgain', PATHS.staff],
};

export type BeginSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  find: string,
) => Promise<FastifyReply>;

export function signInRoutes(app: FastifyInstance, context: StaffContext, access: StaffAccess): BeginSignIn {
  const { settings, provider, cookies, sealer, limiter, logger, metrics, now } = context;

  const note = (request: FastifyRequest, outcome: SignInOutcome, cause?: string) => {
    metrics.countSignIn(outcome);
    request.logFields = { signIn: outcome };
    if (cause === undefined) return;
    const level = outcome.startsWith('provider') ? 'warn' : 'info';
    logger[level]({ requestId: request.id, cause }, 'a sign-in of staff failed');
  };
  const explained = (request: FastifyRequest, error: unknown) => {
    if (!(error instanceof SignInFailed)) return error;
    const { failure, message } = error;
    note(request, failure, message);
    return refusalOf(...FAILURES[failure]);
  };
  const begin = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { find, isAskedAgain }: { find: string; isAskedAgain: boolean },
  ) => {
    // The time limit is lifted, because the requests to the provider have their own time limits.
    reply.liftTimeLimit();
    try {
      const { pending, cookie } = sealer.begin(find, now());
      const address = await provider.addressOf(pending, isAskedAgain);
      cookies.pending.clearAllIfTooMany(request, reply);
      cookies.pending.of(pending.state).set(reply, cookie, SIGN_IN_MS);
      return reply.redirect(address, 303);
    } catch (error) {
      throw explained(request, error);
    }
  };

  app.get(PATHS.signIn, {
    schema: { hide: true },
    handler: (request, reply) => begin(request, reply, { find: '', isAskedAgain: true }),
  });

  app.get(new URL(settings.redirectUrl).pathname, {
    schema: { hide: true },
    handler: async (request, reply) => {
      reply.liftTimeLimit();
      const pendingCookie = cookies.pending.of(queryText(request, 'state'));
      const pending = sealer.openPending(pendingCookie.read(request), now());
      const query = request.url.slice(request.url.indexOf('?') + 1);
      try {
        // Counted before the request to the provider, so that strangers can cause only a few such requests.
        limiter.countFailure(request, reply);
        if (pending === undefined) throw new SignInFailed('stale', 'no sign-in is pending');
        const claims = await provider.claimsOf(query, pending);
        limiter.uncountFailure(request, reply);
        pendingCookie.clear(reply);
        const found = staffOf(claims, settings);
        if ('textIn' in found) {
          note(request, found.outcome, found.cause);
          throw new Refusal(found.textIn);
        }
        note(request, 'signed_in');
        cookies.signedOut.clear(reply);
        const before = sealer.openSignedIn(cookies.signedIn.read(request), now());
        const formToken = before?.person === found.person ? before.formToken : undefined;
        cookies.signedIn.set(reply, sealer.signIn(found.person, found.roles, now(), formToken), SIGNED_IN_MS);
        const find = pending.find === '' ? '' : `?${new URLSearchParams({ find: pending.find })}`;
        return reply.redirect(`${PATHS.staff}${find}`, 303);
      } catch (error) {
        // The Back button of a browser can open this address again. For a signed-in person, this is no error.
        const isStale = error instanceof SignInFailed && error.failure === 'stale';
        if (isStale && access.staffOf(request, reply) !== undefined) return reply.redirect(PATHS.staff, 303);
        throw explained(request, error);
      }
    },
  });

  return (request, reply, find) =>
    begin(request, reply, { find, isAskedAgain: cookies.signedOut.read(request) !== undefined });
}

export function signOutRoutes(app: FastifyInstance, { cookies }: StaffContext, access: StaffAccess): void {
  app.post(PATHS.signOut, {
    schema: { hide: true },
    handler: (request, reply) => {
      access.requireForm(request, reply);
      cookies.signedIn.clear(reply);
      // The cookie makes the provider ask for a password again, even if the person is still signed in there.
      cookies.signedOut.set(reply, '1', SIGNED_IN_MS);
      return reply.redirect(PATHS.signedOut, 303);
    },
  });

  app.get(PATHS.signedOut, {
    schema: { hide: true },
    handler: (request, reply) => {
      const texts = textsFor(request);
      const [title, ...paragraphs] = texts.signedOut;
      return sendHtml(reply, messagePage(texts, { title, paragraphs, link: [texts.signIn, PATHS.signIn] }));
    },
  });
}

type FoundStaff =
  | { person: string; roles: readonly StaffRole[] }
  | {
      outcome: 'no_role' | 'refused' | 'provider_invalid';
      cause: string | undefined;
      textIn: (texts: StaffTexts) => RefusalText;
    };

/** A missing claim is a fault of the set-up, not of the person. */
function staffOf(claims: Claims, { personClaim, roles: known }: StaffContext['settings']): FoundStaff {
  const refused = (
    outcome: 'no_role' | 'refused' | 'provider_invalid',
    textsIn: (texts: StaffTexts) => readonly [title: string, ...paragraphs: string[]],
    cause?: string,
  ): FoundStaff => ({
    outcome,
    cause,
    textIn: (texts) => {
      const [title, ...paragraphs] = textsIn(texts);
      return { status: 403, title, paragraphs, link: [texts.asSomebodyElse, PATHS.signIn] };
    },
  });
  const person = textClaim(claims, personClaim);
  if (person === undefined)
    return refused(
      'provider_invalid',
      ({ unknown, claimMissing }) => [unknown, ...claimMissing(personClaim)],
      `the provider did not send the claim ${personClaim} (OIDC_PERSON_CLAIM) as a text`,
    );
  if (explainPerson(person) !== undefined)
    return refused('refused', ({ unknown, claimInvalid }) => [unknown, claimInvalid(personClaim)]);
  if (personClaim === 'email' && !isVerified(claims['email_verified']))
    return refused('refused', ({ unknown, notVerified }) => [unknown, ...notVerified(person)]);
  const roles = rolesOf(known, claims);
  if (roles.length > 0) return { person, roles };
  const members = [...new Set(known.map(({ member }) => member))].join(', ');
  return hasClaimOfRoles(known, claims)
    ? refused('no_role', ({ noRole }) => noRole(person, members))
    : refused(
        'no_role',
        ({ noRole, noClaim }) => [...noRole(person, members), noClaim],
        'the provider sent no claim of OIDC_ROLES',
      );
}

/** `email_verified` can also be a text or a number. Providers that omit it, such as Entra ID, are trusted. */
const isVerified = (claim: unknown) =>
  claim === undefined || ['true', '1'].includes(String(claim).toLowerCase());
