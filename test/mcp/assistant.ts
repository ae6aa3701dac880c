import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp, TestRequest } from '../rig/service/app.ts';

const ADDRESS = 'http://service.test';

export interface Result {
  isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of every tool
  structuredContent?: any;
  content: { text: string }[];
}

interface Assistant {
  revision: string | undefined;
  instructions: string | undefined;
  tools: Awaited<ReturnType<Client['listTools']>>['tools'];
  call(name: string, given?: Record<string, unknown>): Promise<Result>;
}

export async function connectAssistant(
  app: Pick<TestApp, 'send'>,
  key: string,
  revision?: string,
): Promise<Assistant> {
  const client = new Client(
    { name: 'a test', version: '1' },
    revision === undefined
      ? { versionNegotiation: { mode: 'auto' } }
      : { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [revision] },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${ADDRESS}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: async (url, { method = 'GET', headers, body } = {}) => {
      const answer = await app.send(new URL(url).pathname, {
        method: method as TestRequest['method'] & string,
        headers: Object.fromEntries(new Headers(headers as Headers)),
        ...(typeof body === 'string' && { text: body }),
      });
      const sent = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      return new Response(answer.text === '' ? null : answer.text, {
        status: answer.status,
        headers: Object.fromEntries(sent),
      });
    },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools,
    call: async (name, given = {}) => {
      const result = (await client.callTool({ name, arguments: given })) as unknown as Result;
      if (result.isError !== true)
        assert.deepEqual(JSON.parse(result.content[1]?.text ?? ''), result.structuredContent);
      return result;
    },
  };
}
