import { explain, isCode, Problem } from '../problem.ts';
import type { Answer, Call } from '../service.ts';

/** `GET /livez` and `/healthz`. */
export function health(): Answer {
  return { status: 200, body: { status: 'ok' } };
}

/** `GET /readyz`: this service has no database that could fail. */
export function ready(): Answer {
  return { status: 200, body: { status: 'ok', version: '0', commit: 'unknown' } };
}

/** `GET /errors/{code}`: the page to which the `type` of a problem document leads. */
export function explainError({ path, response, request }: Call): undefined {
  const code = path['code'] ?? '';
  if (!isCode(code)) throw new Problem('not_found', 'There is no such error code');
  const [status, title] = explain(code);
  const page = `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${status} ${code}</p></html>`;
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
  });
  response.end(request.method === 'HEAD' ? undefined : page);
}
