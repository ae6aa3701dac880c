import { Type } from '../../http/schemas/type.ts';

export const MCP_PATH = '/mcp';

export const MessageSchema = Type.Object(
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

export const MessageAnswerSchema = Type.Object(
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

export const MCP_EXAMPLES = {
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

export const refusedExamples = (code: number, message: string) => ({
  refused: { summary: 'The message is refused', value: { jsonrpc: '2.0', id: 1, error: { code, message } } },
});
