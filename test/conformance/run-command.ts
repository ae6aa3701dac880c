import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { serveHttp } from '../rig/http/loopback.ts';

const COMMAND = join(import.meta.dirname, '../../proof/conformance/bin/transactions-conformance.js');
export const KEY = 'tk_live_0123456789abcdefghijklmnopqrstuvwxyz';

export type Respond = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export async function runCommand(...args: string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await closed;
  return { status, stdout, stderr };
}

export async function startDeployment(t: TestContext, respond: Respond = sendPage) {
  const seen: IncomingMessage[] = [];
  const url = await serveHttp(t, (request, response) => respond(request, response, seen.push(request)));
  return { url, seen };
}

export function sendPage(_: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end('{"data":[],"nextCursor":null,"hasMore":false}');
}
