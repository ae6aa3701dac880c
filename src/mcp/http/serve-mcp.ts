import type { FastifyRequest } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import { parseTimestamp } from '../../../values/calendar.ts';
import { Problem } from '../../../values/problem.ts';
import { quote } from '../../../values/quote.ts';
import { errorExample } from '../../http/examples.ts';
import {
  accountOf,
  type Context,
  callerOf,
  defineOperation,
  type Operation,
  requireBody,
} from '../../http/operations/operation.ts';
import { allProblems } from '../../http/operations/operation-problems.ts';
import { endInFlight } from '../../http/overload/load-shedding.ts';
import { kindOf } from '../../http/problems/problem-kind.ts';
import { PROBLEM_TYPE, type ProblemDocument, ProblemDocumentSchema } from '../../http/schemas/problem.ts';
import { emptyResponse, jsonResponse, type ResponseDescription } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import type { RecognisedStatuses } from '../../ledger/recorded-statuses.ts';
import type { SearchCursorSealer } from '../../ledger/search/search.ts';
import { answerMessage, ERRORS } from '../messages.ts';
import {
  type Arguments,
  type CallerReader,
  type CutSearch,
  callTool,
  describeTool,
  INSTRUCTIONS,
  type ReadOperation,
  ReadRefused,
  toolsOf,
} from './tools.ts';

const MessageSchema = Type.Object(
  {
    jsonrpc: Type.String({ examples: ['2.0'] }),
    id: Type.Optional(Type.AnyOf(Type.String(), Type.Integer())),
    method: Type.String({ description: 'For example tools/list or tools/call.', examples: ['tools/list'] }),
    params: Type.Optional({ type: ['object', 'null'], description: 'What the method needs, and _meta.' }),
  },
  {
    $id: 'AssistantMessage',
    title: 'AssistantMessage',
    description: 'A message of the Model Context Protocol, revisions 2025-03-26 to 2026-07-28.',
  },
);

const MessageAnswerSchema = Type.Object(
  {
    jsonrpc: Type.String(),
    id: { type: ['string', 'integer', 'null'] },
    result: Type.Optional({ type: 'object' }),
    error: Type.Optional(
      Type.Object({
        code: Type.Integer(),
        message: Type.String(),
        data: Type.Optional({ type: 'object' }),
      }),
    ),
  },
  { $id: 'AssistantAnswer', title: 'AssistantAnswer' },
);

const MCP_EXAMPLES = {
  tools: {
    summary: 'A client of the revision 2025-11-25 begins',
    value: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'transactions', version: '0.1.0' },
      },
    },
  },
};

const refusedExamples = (code: number, message: string) => ({
  refused: { summary: 'The message is refused', value: { jsonrpc: '2.0', id: 1, error: { code, message } } },
});

interface McpContext extends Context<unknown> {
  statuses: RecognisedStatuses;
  searchCursors: SearchCursorSealer;
  cursorLifetimeSeconds: number;
}

export function serveMcp(operations: readonly Operation<never>[]): Operation<McpContext> {
  const named = (id: string): ReadOperation => {
    const found = operations.find((operation) => operation.public?.id === id);
    if (found?.method !== 'GET') throw new Error(`${id} is not an operation that reads`);
    return found as ReadOperation;
  };

  return defineOperation({
    method: 'POST',
    public: {
      id: 'askTools',
      path: '/mcp',
      access: 'any key',
      tag: 'assistants',
      summary: 'Call a tool',
      description:
        'The Model Context Protocol: one JSON-RPC message in each request, without a session. The tools let an assistant read the account; each has the scope and the cost of the operation that it calls. [The guide](/guides/assistants) connects assistants.',
    },
    body: { type: 'application/json', schema: Type.Ref(MessageSchema) },
    responses: {
      200: jsonResponse('The answer.', Type.Ref(MessageAnswerSchema), MCP_EXAMPLES),
      202: emptyResponse('The message is a notification.'),
      400: withProblem(
        jsonResponse(
          'The message is refused. A request that has no message, such as one whose body is not JSON, gets a problem document.',
          Type.Ref(MessageAnswerSchema),
          refusedExamples(ERRORS.headerMismatch, 'The header Mcp-Method is missing: send "tools/list".'),
        ),
      ),
      404: jsonResponse(
        'The method does not exist.',
        Type.Ref(MessageAnswerSchema),
        refusedExamples(ERRORS.methodNotFound, 'The method "resources/list" does not exist here.'),
      ),
    },
    problems: ['foreign_origin'],
    handler: (context: McpContext) => {
      const reads = {
        search: named('searchTransactions'),
        list: named('listTransactions'),
        retrieve: named('retrieveTransaction'),
        changes: named('listTransactionChanges'),
        related: named('listRelatedTransactions'),
        totals: named('readTotals'),
        webhooks: named('listWebhooks'),
        failures: named('listWebhookFailures'),
      };
      const all = toolsOf(reads, allProblems(operations), createCutSearch(context));

      return async (request, reply) => {
        refuseForeignOrigin(request);
        const { scopes } = callerOf(request);
        const tools = all.filter(({ scope }) => scope === null || scopes.includes(scope));
        const reader = readAsCaller(request);
        // The message needs no time limit, because each of its reads has one.
        reply.liftTimeLimit();
        const { status, json } = await answerMessage(requireBody(request.body), request.headers, {
          version: packageJson.version,
          instructions: INSTRUCTIONS,
          listTools: () => tools.map((tool) => describeTool(tool, context.statuses)),
          callTool: (name, given) => {
            const tool = tools.find((each) => each.name === name);
            if (tool === undefined) return undefined;
            request.logFields = { tool: name };
            return callTool(tool, given, context.statuses, reader);
          },
        });
        endInFlight(reply.raw, { usedStore: false });
        return reply.code(status).send(json);
      };
    },
  });
}

const NO_BODY = kindOf('invalid_body');
const NO_MESSAGE = {
  summary: NO_BODY.title,
  value: errorExample(NO_BODY).response,
};

const withProblem = ({ content, ...response }: ResponseDescription): ResponseDescription => ({
  ...response,
  content: {
    ...content,
    [PROBLEM_TYPE]: { schema: Type.Ref(ProblemDocumentSchema), examples: { invalid_body: NO_MESSAGE } },
  },
});

/** A page of another site could use a key that the browser stores. MCP requires this check. */
function refuseForeignOrigin({ headers: { origin, host } }: FastifyRequest): void {
  if (origin === undefined || URL.parse(origin)?.host === host) return;
  throw new Problem(
    'foreign_origin',
    `The request has the Origin ${quote(origin)}, which is not this service. Let the assistant send the request itself, without a web page.`,
  );
}

interface Cutting {
  searchCursors: SearchCursorSealer;
  cursorLifetimeSeconds: number;
  now: () => number;
}

const createCutSearch =
  ({ searchCursors, cursorLifetimeSeconds, now }: Cutting): CutSearch =>
  (account, page, given, rows) => {
    const data = page['data'] as readonly { createdAt: string; reference: string }[];
    const last = data[rows - 1];
    if (last === undefined || data.length === rows) return page;
    const { cursor, ...terms } = argumentTexts(given);
    const carried = cursor === undefined ? terms : searchCursors.open(account, cursor)?.sent;
    const { cursor: nextCursor } = searchCursors.seal(account, {
      sent: typeof carried === 'object' ? carried : terms,
      after: { createdAtMs: parseTimestamp(last.createdAt) as number, reference: last.reference },
      expiresAtMs: now() + cursorLifetimeSeconds * 1000,
    });
    return { ...page, data: data.slice(0, rows), searchedBackTo: last.createdAt, nextCursor, hasMore: true };
  };

const PASSED_ON = ['authorization', 'host', 'x-forwarded-for', 'x-forwarded-proto'] as const;

/**
 * Each read passes all checks of a request except load shedding, which the MCP message has passed already.
 */
function readAsCaller(request: FastifyRequest): CallerReader {
  const { server, raw, id } = request;
  const headers: Record<string, string> = { 'request-id': id };
  for (const name of PASSED_ON) {
    const value = raw.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const read: CallerReader['read'] = async ({ public: offer, query }, given) => {
    const texts = argumentTexts(given);
    const url = (offer?.path ?? '').replaceAll(/:(\w+)/g, (_, name: string) => {
      const value = texts[name] ?? '';
      delete texts[name];
      return encodeURIComponent(value);
    });
    const search = query === undefined ? '' : `?${new URLSearchParams(texts)}`;
    const response = await server.inject({
      method: 'GET',
      url: search === '?' ? url : url + search,
      headers,
      remoteAddress: raw.socket.remoteAddress ?? '0.0.0.0',
    });
    const body = response.json();
    if (response.statusCode !== 200) throw new ReadRefused(body as ProblemDocument);
    return body;
  };
  return { account: accountOf(request), read };
}

function argumentTexts(given: Arguments): Record<string, string> {
  const present = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
