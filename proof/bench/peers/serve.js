import Fastify from 'fastify';
import { announce, pageOf } from '../rig/page.ts';

/** Serves pages as Fastify's documentation recommends. `readRows` reads one row more than a page. */
export async function servePages(readRows) {
  const app = Fastify();
  app.get('/', async (request) => {
    const { account, after, reference } = request.query;
    return pageOf(
      await readRows(account, after === undefined ? null : { createdAtMs: Number(after), reference }),
    );
  });
  announce(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}
