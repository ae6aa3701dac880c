import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerMessage, EARLIER_REVISIONS, ERRORS, REVISION, type Server } from './messages.ts';

const SERVER: Server = {
  version: '1.2.3',
  instructions: 'Read.',
  listTools: () => [{ name: 'totals' }],
  callTool: (name, given) =>
    name === 'totals'
      ? Promise.resolve({ content: [], structuredContent: { given: JSON.stringify(given) } })
      : undefined,
};

const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const headersFor = (method: string, name?: string) => ({
  'mcp-protocol-version': REVISION,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

const ask = (method: string, params: object = {}, headers: object = headersFor(method)) =>
  answerMessage(
    { jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } },
    headers as Record<string, string>,
    SERVER,
  );

const askBefore = (method: string, params: object | null = {}, revision: string = EARLIER_REVISIONS[0]) =>
  answerMessage({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': revision }, SERVER);

const errorOf = ({ status, json }: { status: number; json?: object }) => {
  assert.ok(json !== undefined && 'error' in json, `an error and not ${JSON.stringify(json)}`);
  const { code, message } = json.error as { code: number; message: string };
  return { status, code, message };
};

test('each message of an earlier revision is answered as it says, from the first one on', async () => {
  const initialized = (protocolVersion: string) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'transactions', version: '1.2.3' },
    instructions: 'Read.',
  });
  const begin = (protocolVersion?: string) => ({ protocolVersion, capabilities: {}, clientInfo: {} });
  const called = { content: [], structuredContent: { given: '{}' } };
  const answers: [method: string, params: object | null, result: object][] = [
    ...[REVISION, ...EARLIER_REVISIONS].map(
      (asked) => ['initialize', begin(asked), initialized(asked)] as [string, object, object],
    ),
    ['initialize', begin('2024-11-05'), initialized('2025-11-25')],
    ['initialize', begin(), initialized('2025-11-25')],
    ['ping', {}, {}],
    ['ping', null, {}],
    ['tools/list', { _meta: null }, { tools: [{ name: 'totals' }] }],
    ['tools/call', { name: 'totals' }, called],
    ['tools/call', { name: 'totals', arguments: null }, called],
  ];
  for (const [method, params, result] of answers) {
    const expected = { status: 200, json: { jsonrpc: '2.0', id: 1, result } };
    for (const revision of EARLIER_REVISIONS)
      assert.deepEqual(await askBefore(method, params, revision), expected, revision);
    assert.deepEqual(
      await answerMessage({ jsonrpc: '2.0', id: 1, method, params }, {}, SERVER),
      expected,
      'without a header, as a client sends its first message',
    );
  }
  const noted = { jsonrpc: '2.0', method: 'notifications/initialized' };
  assert.deepEqual(await answerMessage(noted, {}, SERVER), { status: 202 });
});

test('headers that contradict the body are refused, because a proxy could have admitted a different message', async () => {
  const { headerMismatch } = ERRORS;
  for (const [headers, message] of [
    [{}, /MCP-Protocol-Version is missing: send "2026-07-28"/],
    [
      { ...headersFor('tools/call', 'totals'), 'mcp-protocol-version': '2025-11-25' },
      /MCP-Protocol-Version is not/,
    ],
    [headersFor('tools/list', 'totals'), /Mcp-Method is not what the body says: send "tools\/call"/],
    [headersFor('tools/call'), /Mcp-Name is missing: send "totals"/],
    [headersFor('tools/call', 'list_transactions'), /Mcp-Name is not/],
    [headersFor('tools/call', '=?base64?bGlzdA==?='), /Mcp-Name is not/],
  ] as const) {
    const error = errorOf(await ask('tools/call', { name: 'totals' }, headers));
    assert.equal(error.status, 400);
    assert.equal(error.code, headerMismatch);
    assert.match(error.message, message);
  }
  const encoded = `=?base64?${Buffer.from('totals').toString('base64')}?=`;
  assert.equal((await ask('tools/call', { name: 'totals' }, headersFor('tools/call', encoded))).status, 200);
});

test('the error of a message says what would be right', async () => {
  const { invalidRequest, invalidParams, methodNotFound, unsupportedVersion } = ERRORS;
  const later = { ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
  const laterHeaders = { ...headersFor('tools/list'), 'mcp-protocol-version': '2027-01-01' };
  const plain = (message: object) => answerMessage({ jsonrpc: '2.0', id: 1, ...message }, {}, SERVER);
  for (const [answer, status, code, message] of [
    [plain({ jsonrpc: '1.0', method: 'ping' }), 400, invalidRequest, /"method":"tools\/list"/],
    [plain({ result: {} }), 400, invalidRequest, /not a request/],
    [plain({ method: 'ping', id: 1.5 }), 400, invalidRequest, /id is a text or a whole number/],
    [ask('tools/list', { _meta: later }, laterHeaders), 400, unsupportedVersion, /not supported/],
    [ask('tools/list', { _meta: {} }), 400, invalidParams, /protocolVersion"\] is missing/],
    [
      ask('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': REVISION } }),
      400,
      invalidParams,
      /clientCapabilities"\] is missing: send \{\}/,
    ],
    [ask('resources/list'), 404, methodNotFound, /There are tools\/list and tools\/call/],
    [askBefore('server/nothing'), 200, methodNotFound, /does not exist/],
    [askBefore('tools/call', { name: 'delete_all' }), 200, invalidParams, /no tool "delete_all"/],
    [askBefore('tools/call', { name: { toString: 1 } }), 200, invalidParams, /name is not a text/],
    [
      askBefore('tools/call', { name: 'totals', arguments: [] }),
      200,
      invalidParams,
      /arguments is not an object/,
    ],
    [
      answerMessage(
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { 'mcp-protocol-version': '2024-11-05' },
        SERVER,
      ),
      400,
      unsupportedVersion,
      /not supported/,
    ],
  ] as const) {
    const error = errorOf(await answer);
    assert.deepEqual({ status: error.status, code: error.code }, { status, code }, error.message);
    assert.match(error.message, message);
  }
  const { json } = await ask('tools/list', { _meta: later }, laterHeaders);
  assert.deepEqual((json as { error: { data: object } }).error.data, {
    supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
    requested: '2027-01-01',
  });
});
