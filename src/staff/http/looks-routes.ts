import type { FastifyInstance } from 'fastify';
import { PERSON_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { explainLabel, isWithinPrefix, type Session } from '../../keys/api-key.ts';
import type { SessionPosition } from '../../keys/keys.ts';
import { isIdentifier } from '../../ledger/transaction.ts';
import { auditPrefixes, PATHS } from '../staff.ts';
import { pageHeaders, pageReaderOf } from './account-routes.ts';
import { refusalOf } from './refusal.ts';
import type { BeginSignIn } from './sign-in-routes.ts';
import type { StaffAccess } from './staff-access.ts';
import { queryText, type StaffContext } from './staff-context.ts';
import { type Looks, looksPage } from './staff-pages.ts';
import { textsFor } from './staff-texts.ts';

const PAGE_SESSIONS = 50;

export function looksRoutes(
  app: FastifyInstance,
  { store, cursors, cursorLifetimeSeconds, now }: StaffContext,
  access: StaffAccess,
  begin: BeginSignIn,
): void {
  const headers = pageHeaders("'self'");

  const read = (account: string, person: string, after: SessionPosition | null): Promise<Session[]> => {
    const query =
      account === '' ? { account: null, person } : { account, person: person === '' ? null : person };
    return store.listSessions(query, after, PAGE_SESSIONS + 1);
  };

  app.get(PATHS.looks, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const staff = access.staffOf(request, reply);
      if (staff === undefined) return begin(request, reply, '');
      const prefixes = auditPrefixes(staff.roles);
      if (prefixes.length === 0) throw refusalOf(403, 'notAuditor', 'backToAccounts', PATHS.staff);
      const [account, person] = [queryText(request, 'account').trim(), queryText(request, 'person').trim()];
      const texts = textsFor(request);
      const shown = { account, person, sessions: null, older: null, fault: null };
      const send = (looks: Looks) =>
        reply.headers(headers).send(looksPage(texts, pageReaderOf(staff), looks, now()));
      if (account === '' && person === '') return send(shown);
      const isSeen = (name: string) => prefixes.some((prefix) => isWithinPrefix(name, prefix));
      if (person !== '' && explainLabel(person, PERSON_MAX_CHARACTERS) !== undefined)
        return send({ ...shown, fault: texts.personLength(PERSON_MAX_CHARACTERS) });
      if (account !== '' && !(isIdentifier(account) && isSeen(account)))
        return send({ ...shown, fault: texts.noRoleFor(account) });

      const name = `looks ${account} ${person}`;
      const sent = queryText(request, 'cursor');
      const [createdAtMs, id] = (sent === '' ? undefined : cursors.openPosition(name, sent)?.position) ?? [];
      const after = id === undefined ? null : { createdAtMs: Number(createdAtMs), id: String(id) };
      const listed = await read(account, person, after);
      const page = listed.slice(0, PAGE_SESSIONS);
      const last = listed.length > PAGE_SESSIONS ? page.at(-1) : undefined;
      const cursor =
        last && cursors.sealPosition(name, [last.createdAtMs, last.id], now() + cursorLifetimeSeconds * 1000);
      return send({
        ...shown,
        sessions: page.filter((session) => isSeen(session.account)),
        older: cursor ? `${PATHS.looks}?${new URLSearchParams({ account, person, cursor })}` : null,
      });
    },
  });
}
