import { type Call, targetOf } from './request.ts';
import { notOurs } from './response.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';

interface Expected<Body> {
  what: string;
  is: (body: unknown) => body is Body;
}

export async function requestBody<Body>(
  send: Send,
  given: string | Call,
  { what, is }: Expected<Body>,
  options: RequestOptions,
  waitMs = 0,
): Promise<Body> {
  checkRequestOptions(options);
  const { body, requestId } = await send(given, options, waitMs);
  if (is(body)) return body;
  const { method, path }: Call = typeof given === 'string' ? { method: 'GET', path: given } : given;
  throw notOurs(what, { target: targetOf(method, path), requestId });
}
