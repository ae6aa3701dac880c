import type { FastifyInstance } from 'fastify';
import type { ReadBuiltFile } from './built-files.ts';
import { type PackedFile, packFile, sendFile, versionOf } from './send-file.ts';

/** The files, with their types. A browser shows the types as text. */
const FILES = {
  'transactions-client.js': 'text/javascript; charset=utf-8',
  'transactions-client.d.ts': 'text/plain; charset=utf-8',
} as const;

/** Serves the client as one module, with its types beside it: a caller needs only the address. */
export function clientModuleRoutes(app: FastifyInstance, readBuiltFile: ReadBuiltFile): void {
  const readModule = async (name: keyof typeof FILES) => {
    const text = await readBuiltFile(name);
    return { file: await packFile(FILES[name], text), version: versionOf(text) };
  };
  for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) {
    let reading: Promise<{ file: PackedFile; version: string }> | undefined;
    app.get(`/client/${name}`, {
      schema: { hide: true },
      handler: async (request, reply) => {
        // Read and compressed at the first request, which can take longer than the time limit of a request.
        reply.liftTimeLimit();
        reading ??= readModule(name).catch((error) => {
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
