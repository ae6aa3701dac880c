import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownAccount } from '../../accounts/declared-accounts.ts';
import { htmlHeaders } from '../../http/reference/html-page.ts';
import { explainLabel } from '../../keys/api-key.ts';
import { sessionCreated } from '../../keys/audited-keys.ts';
import { makeSession, REASON_MAX_CHARACTERS, sessionUrl } from '../../keys/session.ts';
import { isIdentifier } from '../../ledger/transaction.ts';
import { quote } from '../../values/quote.ts';
import { findAccounts } from '../find-accounts.ts';
import { PATHS } from '../paths.ts';
import { auditPrefixes, lookPrefixes, scopesFor } from '../roles.ts';
import type { BeginSignIn } from './sign-in-routes.ts';
import type { Staff, StaffAccess } from './staff-access.ts';
import type { StaffContext } from './staff-context.ts';
import { type Chooser, chooserPage, type PageReader } from './staff-pages.ts';

const FIND_MAX_CHARACTERS = 64;
/** No account's name has other characters. PostgreSQL refuses a text with some of them. */
const PART_OF_NAME = /^[A-Za-z0-9._-]+$/;
const RECENT_ACCOUNTS = 5;
/** The looks of a person that are read to find the accounts of the last ones. */
const RECENT_LOOKS = 100;

/** Adds the chooser of accounts, and what opens one. */
export function accountRoutes(
  app: FastifyInstance,
  context: StaffContext,
  access: StaffAccess,
  begin: BeginSignIn,
): void {
  const { settings, store, now, randomBytes, auditStamp, metrics } = context;
  // A browser also checks where a form's answer leads to.
  const headers = pageHeaders(`'self' ${new URL(settings.publicUrl).origin}`);

  const choose = async (reply: FastifyReply, staff: Staff, entered: Partial<Chooser>) => {
    const { find = '' } = entered;
    const prefixes = lookPrefixes(staff.roles);
    const found = PART_OF_NAME.test(find)
      ? await findAccounts(store, prefixes, find)
      : { accounts: [], isCut: false };
    const page = chooserPage(pageReaderOf(staff), {
      find,
      found: find === '' ? null : found.accounts,
      isCut: found.isCut,
      recent: await recentAccounts(staff),
      account: '',
      reason: '',
      fault: null,
      ...entered,
    });
    return reply.headers(headers).send(page);
  };

  const recentAccounts = async ({ person, roles }: Staff) => {
    const looks = await store.listSessions({ account: null, person }, null, RECENT_LOOKS);
    const accounts = new Set(looks.map(({ account }) => account));
    return [...accounts].filter((account) => scopesFor(roles, account).length > 0).slice(0, RECENT_ACCOUNTS);
  };

  /** Why an account cannot be looked at, or undefined. */
  const explainAccount = async (staff: Staff, account: string) => {
    if (account === '') return 'Choose an account.';
    if (!isIdentifier(account) || scopesFor(staff.roles, account).length === 0)
      return `None of your roles is for the account ${quote(account)}.`;
    return (await isKnownAccount(store, account)) ? undefined : `There is no account ${quote(account)}.`;
  };

  app.get(PATHS.staff, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const find = queryText(request, 'find').slice(0, FIND_MAX_CHARACTERS);
      const staff = access.staffOf(request, reply);
      if (staff === undefined) return begin(request, reply, find);
      return pageReaderOf(staff).canLook ? choose(reply, staff, { find }) : reply.redirect(PATHS.looks, 303);
    },
  });

  app.post(PATHS.sessions, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const { staff, fields } = access.requireForm(request, reply);
      const account = fields.get('account') ?? '';
      const reason = (fields.get('reason') ?? '').trim();
      const reasonFault = explainLabel(reason, REASON_MAX_CHARACTERS);
      const fault =
        (await explainAccount(staff, account)) ??
        (reasonFault === undefined ? null : `The reason ${reasonFault}. Say why you look.`);
      if (fault !== null) {
        const find = (fields.get('find') ?? '').slice(0, FIND_MAX_CHARACTERS);
        return choose(reply.code(422), staff, { find, account, reason, fault });
      }
      const stamp = auditStamp(request, staff.person);
      const { code, stored } = makeSession(
        {
          account,
          person: staff.person,
          reason,
          scopes: scopesFor(staff.roles, account),
          // A look ends with the sign-in.
          expiresInMs: staff.expiresAtMs - now(),
          maker: null,
        },
        stamp.atMs,
        randomBytes,
      );
      await store.createApiKey(stored, sessionCreated(stored, stamp));
      metrics.countSession('created');
      request.logFields = { account, sessionId: stored.id };
      return reply.redirect(sessionUrl(settings.publicUrl, code) as string, 303);
    },
  });
}

/** The headers of a page with forms, which lead to these targets. */
export const pageHeaders = (formTargets: string) => ({
  ...htmlHeaders(formTargets),
  // With no-referrer, a browser would send the forms with the origin null.
  'referrer-policy': 'same-origin',
});

export const pageReaderOf = (staff: Staff): PageReader => ({
  ...staff,
  canLook: lookPrefixes(staff.roles).length > 0,
  canAudit: auditPrefixes(staff.roles).length > 0,
});

/** A parameter of a query; empty if it is absent or repeated. */
export function queryText({ query }: FastifyRequest, name: string): string {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}
