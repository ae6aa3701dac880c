import type { FastifyInstance, FastifyReply } from 'fastify';
import { lazy } from '../../values/lazy.ts';
import type { Guide } from '../files/build-guides.ts';
import type { ReadBuiltFile } from '../files/built-files.ts';
import { Problem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { escaped, htmlPage, sendHtml } from './html-page.ts';

type Guides = ReadonlyMap<string, Guide>;

const MARKDOWN = '.md';

/** Serves the specification and the guides as pages and as Markdown, and /llms.txt, which lists what a program can read. */
export function guideRoutes(app: FastifyInstance, readBuiltFile: ReadBuiltFile): void {
  const read = lazy(() => readGuides(readBuiltFile));
  // Read at the first request, so that the start does not pay for it. A clone builds them then, which can take longer
  // than the time limit of a request.
  const guidesOf = (reply: FastifyReply) => {
    reply.liftTimeLimit();
    return read();
  };
  const schema = { hide: true };

  app.get('/guides', {
    schema,
    handler: async (_request, reply) => sendHtml(reply, listPage(await guidesOf(reply))),
  });
  app.get<{ Params: { name: string } }>('/guides/:name', {
    schema,
    handler: async ({ params: { name } }, reply) => {
      const guides = await guidesOf(reply);
      const isMarkdown = name.endsWith(MARKDOWN);
      const guide = guides.get(isMarkdown ? name.slice(0, -MARKDOWN.length) : name);
      if (guide === undefined)
        throw new Problem(
          PROBLEMS.not_found,
          `There is no guide at this path. The guides are ${[...guides.keys()].join(', ')}.`,
        );
      return isMarkdown
        ? reply.type('text/markdown; charset=utf-8').send(guide.markdown)
        : sendHtml(reply, guidePage(name, guide));
    },
  });
  app.get('/llms.txt', {
    schema,
    handler: async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(listText(await guidesOf(reply))),
  });
}

async function readGuides(readBuiltFile: ReadBuiltFile): Promise<Guides> {
  const guides: Record<string, Guide> = JSON.parse((await readBuiltFile('guides.json')).toString());
  return new Map(Object.entries(guides));
}

const guidePage = (name: string, { title, html }: Guide) =>
  htmlPage(
    title,
    `${html}<p><a href="/guides">All guides</a> · <a href="/guides/${name}${MARKDOWN}">Markdown</a> · <a href="/docs">Reference</a></p>`,
  );

function listPage(guides: Guides): string {
  const items = [...guides].map(
    ([name, { title, summary }]) =>
      `<dt><a href="/guides/${name}">${escaped(title)}</a></dt><dd>${escaped(summary)}</dd>`,
  );
  return htmlPage(
    'Guides',
    `<h1>Guides</h1>
<dl>
${items.join('\n')}
</dl>
<p><a href="/docs">Reference</a> · <a href="/errors">Errors</a></p>`,
  );
}

/** Source: llmstxt.org. */
function listText(guides: Guides): string {
  const lines = [...guides].map(
    ([name, { title, summary }]) => `- [${title}](/guides/${name}${MARKDOWN}): ${summary}`,
  );
  return `# Transactions

> The transactions of an account over HTTP, newest first, with an API key.

## Guides

${lines.join('\n')}

## Reference

- [OpenAPI document](/openapi.json): every operation with its parameters and responses
- [Errors](/errors): each error code with its cause, its solution and an example
- [Client](/client/transactions-client.mjs): for JavaScript, with [its types](/client/transactions-client.d.mts)
- [Client of a platform](/client/transactions-platform.mjs): records, with [its types](/client/transactions-platform.d.mts)
- [Command line](/client/transactions.mjs): one file for Node 20
`;
}
