/*
 * A message of revision 2026-07-28 states its revision. Clients of earlier revisions first send `initialize`.
 * Source: the specification of the Model Context Protocol, revisions 2025-03-26 to 2026-07-28.
 */

export const REVISION = '2026-07-28';
/** The newest revision comes first. */
export const EARLIER_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const REVISIONS: readonly unknown[] = [REVISION, ...EARLIER_REVISIONS];

const RESERVED = 'io.modelcontextprotocol';

/** An upgrade of the service can change the list of tools. */
const LIST_LIFETIME_MS = 300_000;

/** The first three are codes of JSON-RPC, the last two of the Model Context Protocol. */
export const ERRORS = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

type Message = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string | string[] | undefined>>;
type Id = string | number;

export interface Answer {
  status: number;
  json?: object;
}

/** Source: CallToolResult of the specification. */
export interface ToolResult {
  content: readonly object[];
  structuredContent?: object;
  isError?: true;
}

export interface Server {
  version: string;
  instructions: string;
  listTools(): readonly object[];
  callTool(name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult> | undefined;
}

class Refused extends Error {
  readonly status: number;
  readonly code: number;
  readonly data: object | undefined;

  constructor(
    code: number,
    message: string,
    { status = 400, data }: { status?: number; data?: object } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

export async function answerMessage(message: Message, headers: Headers, server: Server): Promise<Answer> {
  const id = idOf(message);
  let isOfLatestRevision = true;
  try {
    if (message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
      throw new Refused(
        ERRORS.invalidRequest,
        'The body is not a request: send {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}.',
      );
    if (message['id'] !== undefined && id === undefined)
      throw new Refused(ERRORS.invalidRequest, 'id is a text or a whole number.');
    const params = objectOr({}, message['params'], 'params');
    isOfLatestRevision = checkRevision(message['method'], params, headers);
    if (id === undefined) return { status: 202 };
    const result = await runMethod(message['method'], params, server, isOfLatestRevision);
    return { status: 200, json: { jsonrpc: '2.0', id, result } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, message: text, data } = error;
    const status = isOfLatestRevision ? error.status : 200;
    const json = { jsonrpc: '2.0', id: id ?? null, error: { code, message: text, ...(data && { data }) } };
    return { status, json };
  }
}

function idOf({ id }: Message): Id | undefined {
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : undefined;
}

function objectOr(absent: Message, value: unknown, name: string): Message {
  if (value === undefined || value === null) return absent;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Message;
  throw new Refused(ERRORS.invalidParams, `${name} is not an object.`);
}

function checkRevision(method: string, params: Message, headers: Headers): boolean {
  if (method === 'initialize') return false;
  const meta = objectOr({}, params['_meta'], '_meta');
  const version = meta[`${RESERVED}/protocolVersion`];
  const header = headers['mcp-protocol-version'];
  if (version === undefined && header !== REVISION && method !== 'server/discover') {
    if (header !== undefined && !REVISIONS.includes(header)) throw unsupported(String(header));
    return false;
  }
  if (typeof version !== 'string')
    throw new Refused(
      ERRORS.invalidParams,
      `params._meta["${RESERVED}/protocolVersion"] is missing: send "${REVISION}".`,
    );
  requireHeader(headers, 'MCP-Protocol-Version', version);
  if (version !== REVISION) throw unsupported(version);
  if (meta[`${RESERVED}/clientCapabilities`] === undefined)
    throw new Refused(
      ERRORS.invalidParams,
      `params._meta["${RESERVED}/clientCapabilities"] is missing: send {}.`,
    );
  requireHeader(headers, 'Mcp-Method', method);
  if (method === 'tools/call') requireHeader(headers, 'Mcp-Name', toolOf(params));
  return true;
}

const unsupported = (requested: string) =>
  new Refused(ERRORS.unsupportedVersion, 'This revision is not supported.', {
    data: { supported: REVISIONS, requested },
  });

/** Proxies read some headers in place of the message, so these headers must say the same as the message. */
function requireHeader(headers: Headers, name: string, expected: string): void {
  const sent = headers[name.toLowerCase()];
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(String(sent)) ?? [];
  const value = encoded === undefined ? sent : Buffer.from(encoded, 'base64').toString();
  if (value === expected) return;
  const what = sent === undefined ? 'is missing' : 'is not what the body says';
  throw new Refused(ERRORS.headerMismatch, `The header ${name} ${what}: send ${JSON.stringify(expected)}.`);
}

async function runMethod(
  method: string,
  params: Message,
  server: Server,
  isOfLatestRevision: boolean,
): Promise<object> {
  const serverInfo = { name: 'transactions', version: server.version };
  const inRevision = isOfLatestRevision && {
    resultType: 'complete',
    _meta: { [`${RESERVED}/serverInfo`]: serverInfo },
  };
  // Keys must not share a cached list of tools, because the list depends on the key's scopes.
  const cached = isOfLatestRevision && { ttlMs: LIST_LIFETIME_MS, cacheScope: 'private' };
  const capabilities = { tools: {} };
  const { instructions } = server;
  if (method === 'tools/list') return { tools: server.listTools(), ...inRevision, ...cached };
  if (method === 'tools/call') return { ...(await callTool(params, server)), ...inRevision };
  if (isOfLatestRevision && method === 'server/discover')
    return { supportedVersions: [REVISION], capabilities, instructions, ...inRevision, ...cached };
  if (!isOfLatestRevision && method === 'initialize')
    return {
      protocolVersion: revisionFor(params['protocolVersion']),
      capabilities,
      serverInfo,
      instructions,
    };
  if (!isOfLatestRevision && method === 'ping') return {};
  throw new Refused(
    ERRORS.methodNotFound,
    `The method ${JSON.stringify(method)} does not exist here. There are tools/list and tools/call.`,
    { status: 404 },
  );
}

const revisionFor = (asked: unknown) => (REVISIONS.includes(asked) ? asked : EARLIER_REVISIONS[0]);

function toolOf({ name }: Message): string {
  if (typeof name === 'string') return name;
  throw new Refused(ERRORS.invalidParams, 'params.name is not a text: send the name of a tool.');
}

async function callTool(params: Message, server: Server): Promise<ToolResult> {
  const name = toolOf(params);
  const result = server.callTool(name, objectOr({}, params['arguments'], 'arguments'));
  if (result === undefined)
    throw new Refused(
      ERRORS.invalidParams,
      `There is no tool ${JSON.stringify(name)}. tools/list has the tools.`,
    );
  return result;
}
