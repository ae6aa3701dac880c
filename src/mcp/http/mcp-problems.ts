import { AUTHORIZED, refused } from '../../http/problems/problem-example.ts';
import { defineProblems } from '../../http/problems/problem-kind.ts';
import { MCP_PATH } from './mcp-schemas.ts';

/** The errors of the endpoint for assistants alone. */
export const MCP_PROBLEMS = defineProblems({
  foreign_origin: {
    status: 403,
    title: 'The request is from a page of another site',
    cause: 'A browser sent the request for a page of another site, as its Origin header says.',
    solution:
      'Let the assistant send its requests itself, not a web page. A page of this service can send them too.',
    example: refused(
      { method: 'POST', target: MCP_PATH, headers: { ...AUTHORIZED, Origin: 'https://other.example' } },
      'The request has the Origin "https://other.example", which is not this service. Send it without a web page.',
    ),
  },
});
