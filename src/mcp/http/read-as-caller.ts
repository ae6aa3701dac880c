import type { FastifyRequest } from 'fastify';
import { accountOf } from '../../http/operations/operation.ts';
import type { ProblemDocument } from '../../http/schemas/problem.ts';
import { type Arguments, type CallerReader, ReadRefused } from './tools.ts';

const PASSED_ON = ['authorization', 'host', 'x-forwarded-for', 'x-forwarded-proto'] as const;

/** Each read passes all checks of a request except load shedding, which the MCP message has passed already. */
export function readAsCaller(request: FastifyRequest): CallerReader {
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

export function argumentTexts(given: Arguments): Record<string, string> {
  const present = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
