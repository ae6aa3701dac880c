import type { FastifyRequest } from 'fastify';
import { FaultList, type ParameterFault } from '../../../values/fault-list.ts';
import { PERSON_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { bodyFault, faultyField, faultyParameters, Problem } from '../../../values/problem.ts';
import { accountNotDeclared, type DeclaredAccounts } from '../../accounts/account.ts';
import type { AuditContext } from '../../audit/http/request-origin.ts';
import { EXAMPLES } from '../../http/examples.ts';
import { type Context, callerOf, defineOperation, requireBody } from '../../http/operations/operation.ts';
import { PAGE_HEADERS, PAGE_QUERY, type PageContext, readPage } from '../../http/operations/page.ts';
import {
  notFound,
  type PathParameter,
  type QueryParameter,
  readQuery,
} from '../../http/operations/parameters.ts';
import type { RateLimiter } from '../../http/overload/rate-limit.ts';
import { emptyResponse, jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { ACCOUNT } from '../../ledger/http/account-parameter.ts';
import { isSession, type Session } from '../api-key.ts';
import { type ApiKeyStore, sessionCreated, sessionEnded, sessionsEnded } from '../keys.ts';
import {
  exchangeCode,
  explainPerson,
  formatCreatedSession,
  formatListedSession,
  formatSession,
  isSessionId,
  makeSession,
} from '../session.ts';
import { CHALLENGE } from './authenticate.ts';
import { readCodeRequest, readSessionRequest } from './key-bodies.ts';
import type { KeyMetrics } from './key-metrics.ts';
import {
  CodeRequestSchema,
  CreatedSessionSchema,
  OpenedSessionSchema,
  SessionPageSchema,
  SessionRequestSchema,
} from './session-schemas.ts';

interface SessionContext extends Context<ApiKeyStore>, AuditContext {
  limiter: Pick<RateLimiter, 'countFailure' | 'uncountFailure'>;
  metrics: Pick<KeyMetrics, 'countSession'>;
  publicUrl: string | null;
  accounts: DeclaredAccounts | null;
}

const SESSIONS_PATH = '/v1/accounts/:account/sessions';

const SESSION_ID: PathParameter = {
  schema: Type.String({
    description: 'As the list of sessions shows it.',
    examples: ['ses_0123456789abcdef'],
  }),
  isValid: isSessionId,
  absent: 'The account has no session with this id.',
  logName: 'sessionId',
};

const INVALID_CODE =
  'The code is not valid: it can be used once, within 60 seconds. Open the link again at the platform.';

const PERSON = {
  schema: Type.String({
    minLength: 1,
    maxLength: PERSON_MAX_CHARACTERS,
    description: 'As it was sent when the session was created: it is compared exactly.',
    examples: ['ada@shop.example'],
  }),
  isValid: (text) => explainPerson(text) === undefined,
  code: 'invalid_person',
  explain: (text) => `person ${explainPerson(text)}.`,
} as const satisfies QueryParameter;

const createSessionOperation = defineOperation({
  method: 'POST',
  operator: {
    id: 'createSession',
    path: SESSIONS_PATH,
    access: 'sessions',
    tag: 'sessions',
    summary: 'Create a session',
    description:
      'Creates a session of one person: a code, and with PUBLIC_URL the address of the page with it. ' +
      'The code can be exchanged once, within 60 seconds; the session then lasts until expiresAt, at most as long as the key of this request.',
  },
  pathParameters: { account: ACCOUNT },
  body: { type: 'application/json', schema: Type.Ref(SessionRequestSchema) },
  responses: { 201: jsonResponse('The session.', Type.Ref(CreatedSessionSchema), EXAMPLES.createdSession) },
  handler:
    ({ store, randomBytes, auditStamp, metrics, publicUrl, accounts }: SessionContext) =>
    async (request, reply) => {
      const { account } = request.params;
      const wanted = readSessionRequest(account, requireBody(request.body), callerOf(request));
      if ((await accounts?.undeclared([account]))?.has(account))
        throw faultyField(bodyFault(accountNotDeclared(account)));
      const stamp = auditStamp(request);
      const { code, stored } = makeSession(wanted, stamp.atMs, randomBytes);
      await store.createApiKey(stored, sessionCreated(stored, stamp));
      metrics.countSession('created');
      request.logFields = { sessionId: stored.id };
      return reply.code(201).send(formatCreatedSession(stored, code, publicUrl));
    },
});

const listSessionsOperation = defineOperation({
  method: 'GET',
  operator: {
    id: 'listSessions',
    path: SESSIONS_PATH,
    access: 'sessions',
    tag: 'sessions',
    summary: 'List sessions',
    description:
      'Newest first, without codes and keys, until a week after they expire. The audit trail has all sessions.',
  },
  pathParameters: { account: ACCOUNT },
  query: { ...PAGE_QUERY, person: PERSON },
  responses: {
    200: jsonResponse('A page of sessions.', Type.Ref(SessionPageSchema), EXAMPLES.sessions, PAGE_HEADERS),
  },
  handler: (context: SessionContext & PageContext) => async (request, reply) => {
    const { account } = request.params;
    const page = await readPage(context, request.query, reply, {
      name: `sessions of ${account}`,
      filters: { person: PERSON },
      read: (place: readonly [number, string] | null, limit, { person = null }) => {
        const after = place && { createdAtMs: place[0], id: place[1] };
        return context.store.listSessions({ account, person }, after, limit);
      },
      positionOf: ({ createdAtMs, id }) => [createdAtMs, id] as const,
    });
    return { ...page, data: page.data.map((session) => formatListedSession(session, context.now())) };
  },
});

const endSessionOperation = defineOperation({
  method: 'DELETE',
  operator: {
    id: 'endSession',
    path: `${SESSIONS_PATH}/:id`,
    access: 'sessions',
    tag: 'sessions',
    summary: 'End a session',
    description:
      'The code and the key of the session are refused within a second, on every instance. Ending an ended session changes nothing.',
  },
  pathParameters: { account: ACCOUNT, id: SESSION_ID },
  responses: { 204: emptyResponse('The session has ended.') },
  handler: (context: SessionContext) => async (request, reply) => {
    const { account, id } = request.params;
    const session = await context.store.retrieveApiKey(id);
    if (session === undefined || !isSession(session) || session.account !== account)
      throw notFound(SESSION_ID);
    await endSession(context, request, session);
    return reply.code(204).send();
  },
});

async function endSession(
  { store, auditStamp, metrics }: SessionContext,
  request: FastifyRequest,
  session: Session,
): Promise<void> {
  const { account, id } = session;
  const stamp = auditStamp(request);
  const end = { account, person: null, id, nowMs: stamp.atMs };
  const ended = await store.endSessions(end, sessionEnded(session, stamp));
  metrics.countSession('ended', ended.length);
}

const endSessionsOperation = defineOperation({
  method: 'DELETE',
  operator: {
    id: 'endSessions',
    path: SESSIONS_PATH,
    access: 'sessions',
    tag: 'sessions',
    summary: 'End sessions of a person',
    description:
      'Their codes and keys are refused within a second, on every instance. The person is compared exactly. If the person has no sessions, ' +
      'the response is the same: see Sessions-Ended. In a query, a plus sign is a space, so write it as %2B.',
  },
  pathParameters: { account: ACCOUNT },
  query: { person: { ...PERSON, isDocumentedAsRequired: true } },
  responses: {
    204: emptyResponse('All sessions of this person at the account have ended.', {
      'Sessions-Ended': Type.String({
        description: 'The number of sessions that were ended; 0 if the person had no open session.',
        examples: ['2'],
      }),
    }),
  },
  handler:
    ({ store, auditStamp, metrics }: SessionContext) =>
    async (request, reply) => {
      const { account } = request.params;
      const { person } = readQuery(request.query, { person: PERSON });
      if (person === undefined) {
        const faults = new FaultList<ParameterFault<'invalid_person'>>();
        const detail = 'person is missing. Send the person whose sessions end.';
        faults.add({ parameter: 'person', code: PERSON.code, detail });
        throw faultyParameters(faults);
      }
      const stamp = auditStamp(request);
      const end = { account, person, id: null, nowMs: stamp.atMs };
      const { length: ended } = await store.endSessions(end, sessionsEnded(account, person, stamp));
      metrics.countSession('ended', ended);
      request.logFields = { count: ended };
      return reply.code(204).header('sessions-ended', ended).send();
    },
});

const openSessionOperation = defineOperation({
  method: 'POST',
  public: {
    id: 'openSession',
    path: '/v1/session',
    access: 'no key',
    tag: 'keys',
    summary: 'Open a session',
    description:
      'Exchanges the code of a link of the platform for the key of a session, once, within 60 seconds. It needs no key. An invalid code counts as a failed authentication.',
  },
  body: { type: 'application/json', schema: Type.Ref(CodeRequestSchema) },
  responses: {
    201: jsonResponse('The key of the session.', Type.Ref(OpenedSessionSchema), EXAMPLES.openedSession),
  },
  problems: ['invalid_code', 'rate_limited', 'internal_error', 'unavailable'],
  handler:
    ({ store, randomBytes, auditStamp, limiter, metrics }: SessionContext) =>
    async (request, reply) => {
      // The attempt is counted before the query, so that guesses over the limit cost no query.
      limiter.countFailure(request, reply);
      const uncount = () => limiter.uncountFailure(request, reply);
      const code = readCodeRequest(requireBody(request.body));
      const opened = await exchangeCode(store, code, ({ id }) => auditStamp(request, id), randomBytes).catch(
        (error) => {
          uncount();
          throw error;
        },
      );
      if (opened === undefined) {
        metrics.countSession('refused');
        throw new Problem('invalid_code', INVALID_CODE, {
          headers: { 'www-authenticate': CHALLENGE },
        });
      }
      uncount();
      metrics.countSession('opened');
      const { key, session } = opened;
      request.logFields = { account: session.account, keyId: session.id };
      const { account, person, scopes, expiresAt } = formatSession(session);
      return reply.code(201).send({ key, account, person, scopes, expiresAt });
    },
});

const signOutOperation = defineOperation({
  method: 'DELETE',
  public: {
    id: 'signOut',
    path: '/v1/session',
    access: 'any key',
    tag: 'keys',
    summary: 'Sign out',
    description: 'Ends the session of the request. Its key is refused within a second, on every instance.',
  },
  responses: { 204: emptyResponse('The session has ended.') },
  problems: ['not_a_session'],
  handler: (context: SessionContext) => async (request, reply) => {
    const { keyId, person } = callerOf(request);
    const session = person === null ? undefined : await context.store.retrieveApiKey(keyId);
    if (session === undefined || !isSession(session))
      throw new Problem(
        'not_a_session',
        'This is an ordinary key, which only the operator can revoke. Send the key of a session.',
        { headers: { 'www-authenticate': CHALLENGE } },
      );
    await endSession(context, request, session);
    return reply.code(204).send();
  },
});

export const SESSION_OPERATIONS = [
  createSessionOperation,
  listSessionsOperation,
  endSessionOperation,
  endSessionsOperation,
  openSessionOperation,
  signOutOperation,
];
