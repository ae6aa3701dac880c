import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { type PageFile, pack } from './page-files.ts';
import { sendFile } from './send-file.ts';

/** The files, with their types. A browser shows the types as text. */
const FILES = {
  'transactions-client.js': 'text/javascript; charset=utf-8',
  'transactions-client.d.ts': 'text/plain; charset=utf-8',
} as const;

/** Serves the client as one module, with its types beside it: a caller needs only the address. */
export function clientModuleRoutes(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(FILES)) {
    let reading: Promise<{ file: PageFile; version: string }> | undefined;
    app.get(`/client/${name}`, {
      schema: { hide: true },
      handler: async (request, reply) => {
        // Read and compressed at the first request, which can take longer than the time limit of a request.
        reply.liftTimeLimit();
        reading ??= readModule(name, type).catch((error) => {
          // The next request tries again.
          reading = undefined;
          throw error;
        });
        const { file, version } = await reading;
        reply.header('cache-control', 'no-cache');
        return sendFile(request, reply, file, version);
      },
    });
  }
}

async function readModule(name: string, type: string): Promise<{ file: PageFile; version: string }> {
  const text = await readFile(new URL(`../../../client/module/${name}`, import.meta.url), 'utf8');
  return { file: await pack(type, text), version: hash('sha256', text, 'base64url').slice(0, 16) };
}
