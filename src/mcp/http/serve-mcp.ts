import type { FastifyRequest } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import { parseTimestamp } from '../../../values/calendar.ts';
import { Problem } from '../../../values/problem.ts';
import { quote } from '../../../values/quote.ts';
import { errorExample } from '../../http/examples.ts';
import {
  type Context,
  callerOf,
  defineOperation,
  type Operation,
  requireBody,
} from '../../http/operations/operation.ts';
import { allProblems } from '../../http/operations/operation-problems.ts';
import { endInFlight } from '../../http/overload/load-shedding.ts';
import { kindOf } from '../../http/problems/problem-kind.ts';
import { PROBLEM_TYPE, ProblemDocumentSchema } from '../../http/schemas/problem.ts';
import { emptyResponse, jsonResponse, type ResponseDescription } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import type { RecognisedStatuses } from '../../ledger/recorded-statuses.ts';
import type { SearchCursorSealer } from '../../ledger/search/search.ts';
import { answerMessage, ERRORS } from '../messages.ts';
import {
  MCP_EXAMPLES,
  MCP_PATH,
  MessageAnswerSchema,
  MessageSchema,
  refusedExamples,
} from './mcp-schemas.ts';
import { argumentTexts, readAsCaller } from './read-as-caller.ts';
import {
  type CutSearch,
  callTool,
  describeTool,
  INSTRUCTIONS,
  type ReadOperation,
  toolsOf,
} from './tools.ts';

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
      path: MCP_PATH,
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
