import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REASON_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { isKnownAccount } from '../../accounts/account.ts';
import { explainLabel } from '../../keys/api-key.ts';
import { sessionCreated } from '../../keys/keys.ts';
import { makeSession, sessionUrl } from '../../keys/session.ts';
import { isIdentifier } from '../../ledger/transaction.ts';
import { findAccounts } from '../find-accounts.ts';
import { auditPrefixes, lookPrefixes, PATHS, scopesFor } from '../staff.ts';
import { htmlHeaders } from './html-page.ts';
import type { BeginSignIn } from './sign-in-routes.ts';
import type { Staff, StaffAccess } from './staff-access.ts';
import { queryText, type StaffContext } from './staff-context.ts';
import { type Chooser, chooserPage, type PageReader, type RecentAccount } from './staff-pages.ts';
import { type StaffTexts, textsFor } from './staff-texts.ts';

const FIND_MAX_CHARACTERS = 64;
/** The characters of account names. PostgreSQL would refuse a text with certain other characters. */
const PART_OF_NAME = /^[A-Za-z0-9._-]+$/;
const RECENT_ACCOUNTS = 5;
const RECENT_LOOKS = 100;

export function accountRoutes(
  app: FastifyInstance,
  context: StaffContext,
  access: StaffAccess,
  begin: BeginSignIn,
): void {
  const { settings, store, now, randomBytes, auditStamp, metrics } = context;
  // The form is redirected to `publicUrl`, so the content security policy must also allow that address.
  const headers = pageHeaders(`'self' ${new URL(settings.publicUrl).origin}`);

  const choose = async (
    request: FastifyRequest,
    reply: FastifyReply,
    staff: Staff,
    entered: Partial<Chooser>,
  ) => {
    const { find = '' } = entered;
    const prefixes = lookPrefixes(staff.roles);
    const found = PART_OF_NAME.test(find)
      ? await findAccounts(store, prefixes, find)
      : { accounts: [], isCut: false };
    const page = chooserPage(textsFor(request), pageReaderOf(staff), {
      find,
      found: find === '' ? null : found.accounts,
      isCut: found.isCut,
      prefixes: prefixes.filter((prefix) => prefix !== null),
      recent: await recentAccounts(store, staff),
      account: '',
      reason: '',
      fault: null,
      ...entered,
    });
    return reply.headers(headers).send(page);
  };

  app.get(PATHS.staff, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const find = queryText(request, 'find').trim().slice(0, FIND_MAX_CHARACTERS);
      const staff = access.staffOf(request, reply);
      if (staff === undefined) return begin(request, reply, find);
      return pageReaderOf(staff).canLook
        ? choose(request, reply, staff, { find })
        : reply.redirect(PATHS.looks, 303);
    },
  });

  app.post(PATHS.sessions, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const { staff, fields } = access.requireForm(request, reply);
      const texts = textsFor(request);
      const account = fields.get('account') ?? '';
      const reason = (fields.get('reason') ?? '').trim();
      const reasonFault = explainLabel(reason, REASON_MAX_CHARACTERS);
      const fault =
        (await explainAccount(store, texts, staff, account)) ??
        (reasonFault === undefined ? null : texts.reasonLength(REASON_MAX_CHARACTERS));
      if (fault !== null) {
        const find = (fields.get('find') ?? '').slice(0, FIND_MAX_CHARACTERS);
        return choose(request, reply.code(422), staff, { find, account, reason, fault });
      }
      const stamp = auditStamp(request, staff.person);
      const { code, stored } = makeSession(
        {
          account,
          person: staff.person,
          reason,
          scopes: scopesFor(staff.roles, account),
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

async function recentAccounts(
  store: StaffContext['store'],
  { person, roles }: Staff,
): Promise<RecentAccount[]> {
  const looks = await store.listSessions({ account: null, person }, null, RECENT_LOOKS);
  const newest = new Map<string, RecentAccount>();
  for (const { account, session } of looks)
    if (!newest.has(account) && scopesFor(roles, account).length > 0)
      newest.set(account, { account, reason: session.reason });
  return [...newest.values()].slice(0, RECENT_ACCOUNTS);
}

async function explainAccount(
  store: StaffContext['store'],
  texts: StaffTexts,
  staff: Staff,
  account: string,
): Promise<string | undefined> {
  if (account === '') return texts.chooseAccount;
  if (!isIdentifier(account) || scopesFor(staff.roles, account).length === 0) return texts.noRoleFor(account);
  return (await isKnownAccount(store, account)) ? undefined : texts.noAccount(account);
}

export const pageHeaders = (formTargets: string) => ({
  ...htmlHeaders(formTargets),
  // With no-referrer, a browser would send the forms with `null` as their origin.
  'referrer-policy': 'same-origin',
});

export const pageReaderOf = (staff: Staff): PageReader => ({
  ...staff,
  canLook: lookPrefixes(staff.roles).length > 0,
  canAudit: auditPrefixes(staff.roles).length > 0,
});
