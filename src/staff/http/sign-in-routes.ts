import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendHtml } from '../../http/reference/html-page.ts';
import { explainPerson } from '../../keys/session.ts';
import { PATHS } from '../paths.ts';
import { type Claims, rolesOf, type StaffRole, textClaim } from '../roles.ts';
import { SIGN_IN_MS, SIGNED_IN_MS } from '../sealed-cookies.ts';
import { SignInFailed } from '../sign-in.ts';
import { messagePage, Refusal, type RefusalText } from './refusal.ts';
import type { StaffAccess } from './staff-access.ts';
import type { StaffContext } from './staff-context.ts';
import type { SignInOutcome } from './staff-metrics.ts';

const TRY_AGAIN = ['Try again', PATHS.staff] as const;
const AS_SOMEBODY_ELSE = ['Sign in as somebody else', PATHS.signIn] as const;

const FAILURES: Record<SignInFailed['failure'], RefusalText> = {
  stale: {
    status: 400,
    title: 'This sign-in cannot be finished',
    paragraphs: [
      'It was finished before, began more than ten minutes ago, or began in another browser. Nobody was signed in.',
    ],
    link: ['Sign in again', PATHS.staff],
  },
  refused: {
    status: 403,
    title: 'The provider refused the sign-in',
    paragraphs: [
      'The provider that knows who you are did not let you in here. Its administrator can say why.',
    ],
    link: AS_SOMEBODY_ELSE,
  },
  provider_unavailable: {
    status: 503,
    title: 'Signing in is not possible at the moment',
    paragraphs: [
      'The provider that knows who you are does not answer. People who are signed in already can go on.',
      'Try again in a minute. If it lasts, tell the operator of this service: the log has the cause.',
    ],
    link: TRY_AGAIN,
  },
  provider_invalid: {
    status: 502,
    title: 'The answer of the provider is not valid',
    paragraphs: [
      'The provider that knows who you are sent something that this service does not accept. Nobody was signed in.',
      'Tell the operator of this service: the log has the cause.',
    ],
    link: TRY_AGAIN,
  },
};

/** Sends somebody to the provider, who gets back to the accounts with a part of a name. */
export type BeginSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  find: string,
) => Promise<FastifyReply>;

/** Adds the routes of a sign-in: its beginning, the way back from the provider, and its end. */
export function signInRoutes(app: FastifyInstance, context: StaffContext, access: StaffAccess): BeginSignIn {
  const { settings, provider, cookies, sealer, limiter, logger, metrics, now } = context;

  const note = (request: FastifyRequest, outcome: SignInOutcome) => {
    metrics.countSignIn(outcome);
    request.logFields = { signIn: outcome };
  };
  const explained = (request: FastifyRequest, error: unknown) => {
    if (!(error instanceof SignInFailed)) return error;
    const { failure, message } = error;
    note(request, failure);
    if (failure.startsWith('provider'))
      logger.warn({ requestId: request.id, cause: message }, 'a sign-in of staff failed');
    return new Refusal(FAILURES[failure]);
  };
  const begin = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { find, isAskedAgain }: { find: string; isAskedAgain: boolean },
  ) => {
    // The provider has time limits of its own.
    reply.liftTimeLimit();
    try {
      const { pending, cookie } = sealer.begin(find, now());
      const address = await provider.addressOf(pending, isAskedAgain);
      cookies.pending.set(reply, cookie, SIGN_IN_MS);
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
      const pending = sealer.openPending(cookies.pending.read(request), now());
      const query = request.url.slice(request.url.indexOf('?') + 1);
      try {
        // Counted before the provider is asked, so that strangers who repeat it cause few requests there.
        limiter.countFailure(request, reply);
        if (pending === undefined) throw new SignInFailed('stale', 'there is no sign-in under way');
        const claims = await provider.claimsOf(query, pending);
        limiter.uncountFailure(request, reply);
        cookies.pending.clear(reply);
        const found = staffOf(claims, settings);
        note(request, 'refusal' in found ? found.outcome : 'signed_in');
        if ('refusal' in found) throw found.refusal;
        cookies.signedOut.clear(reply);
        cookies.signedIn.set(reply, sealer.signIn(found.person, found.roles, now()), SIGNED_IN_MS);
        const find = pending.find === '' ? '' : `?${new URLSearchParams({ find: pending.find })}`;
        return reply.redirect(`${PATHS.staff}${find}`, 303);
      } catch (error) {
        // Somebody who goes back to an address that was used is still signed in.
        const isStale = error instanceof SignInFailed && error.failure === 'stale';
        if (isStale && access.staffOf(request, reply) !== undefined) return reply.redirect(PATHS.staff, 303);
        throw explained(request, error);
      }
    },
  });

  return (request, reply, find) =>
    begin(request, reply, { find, isAskedAgain: cookies.signedOut.read(request) !== undefined });
}

/** Adds the end of a sign-in. */
export function signOutRoutes(app: FastifyInstance, { cookies }: StaffContext, access: StaffAccess): void {
  app.post(PATHS.signOut, {
    schema: { hide: true },
    handler: (request, reply) => {
      access.requireForm(request, reply);
      cookies.signedIn.clear(reply);
      // The provider can still know the person, and would answer the Back button without a question.
      cookies.signedOut.set(reply, '1', SIGNED_IN_MS);
      return reply.redirect(PATHS.signedOut, 303);
    },
  });

  app.get(PATHS.signedOut, {
    schema: { hide: true },
    handler: (_request, reply) =>
      sendHtml(
        reply,
        messagePage({
          title: 'You are signed out',
          paragraphs: [
            'You are signed out here, and not at the provider.',
            'A page of an account that you opened stays open: sign out there too.',
          ],
          link: ['Sign in', PATHS.signIn],
        }),
      ),
  });
}

type FoundStaff =
  | { person: string; roles: readonly StaffRole[] }
  | { outcome: 'no_role' | 'refused'; refusal: Refusal };

/** Who somebody with these claims is here, or what is missing. */
function staffOf(claims: Claims, { personClaim, roles: known }: StaffContext['settings']): FoundStaff {
  const person = textClaim(claims, personClaim);
  const refused = (...paragraphs: string[]): FoundStaff => ({
    outcome: 'refused',
    refusal: new Refusal({
      status: 403,
      title: 'It is not known who you are',
      paragraphs,
      link: AS_SOMEBODY_ELSE,
    }),
  });
  if (person === undefined)
    return refused(
      `The provider did not send the claim ${personClaim}, which this service takes for your name.`,
      'The operator of this service sets the claim with OIDC_PERSON_CLAIM, and what is requested with OIDC_SCOPES.',
    );
  const fault = explainPerson(person);
  if (fault !== undefined) return refused(`The claim ${personClaim} ${fault}.`);
  // Anybody can enter the address of somebody else at a provider that does not verify it. Some send the text "false".
  if (personClaim === 'email' && String(claims['email_verified'] ?? true) !== 'true')
    return refused(
      `The provider says that the address ${person} is not verified.`,
      'Verify it at the provider, then sign in again.',
    );
  const roles = rolesOf(known, claims);
  if (roles.length > 0) return { person, roles };
  const needed = [...new Set(known.map(({ claim, value }) => `${claim}: ${value}`))];
  return {
    outcome: 'no_role',
    refusal: new Refusal({
      status: 403,
      title: 'You have no role here',
      paragraphs: [
        `You are signed in at the provider as ${person}, without a claim that gives a role here.`,
        `One of these is needed: ${needed.join(', ')}.`,
        'The administrator of the provider can add you to a group. Then sign in again.',
      ],
      link: AS_SOMEBODY_ELSE,
    }),
  };
}
