import type { FastifyInstance } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import { lazy } from '../../values/lazy.ts';
import { type BuiltFile, type ReadBuiltFile, readBuiltFile } from './built-files.ts';
import { type PageDependencies, pageRoutes } from './page.ts';
import { packFile, sendFile, versionOf } from './send-file.ts';

interface FileDependencies extends Omit<PageDependencies, 'readBuiltFile'> {
  readBuiltFile?: ReadBuiltFile | undefined;
}

/** What browsers and programs load: the page and the client. */
export function fileRoutes(app: FastifyInstance, dependencies: FileDependencies): void {
  const { readBuiltFile: read = readBuiltFile, ...page } = dependencies;
  pageRoutes(app, { ...page, readBuiltFile: read });
  clientModuleRoutes(app, read);
}

/** What is served, and of which built file. A browser shows the types as text. */
const FILES: Readonly<Record<string, readonly [built: BuiltFile, type: string]>> = {
  'transactions-client.mjs': ['transactions-client.mjs', 'text/javascript; charset=utf-8'],
  'transactions-client.d.mts': ['transactions-client.d.mts', 'text/plain; charset=utf-8'],
  'transactions-platform.mjs': ['transactions-platform.mjs', 'text/javascript; charset=utf-8'],
  'transactions-platform.d.mts': ['transactions-platform.d.mts', 'text/plain; charset=utf-8'],
  // npm remembers the hash of a URL, so each version has a URL of its own.
  [`transactions-client-${packageJson.version}.tgz`]: ['transactions-client.tgz', 'application/gzip'],
  'transactions.mjs': ['transactions.mjs', 'text/javascript; charset=utf-8'],
};

/** Serves the client, as one module with its types and as a package, and the command line of an account: a caller needs only the address. */
function clientModuleRoutes(app: FastifyInstance, readBuiltFile: ReadBuiltFile): void {
  const readFile = async (built: BuiltFile, type: string) => {
    const bytes = await readBuiltFile(built);
    return { file: await packFile(type, bytes), version: versionOf(bytes) };
  };
  for (const [name, [built, type]] of Object.entries(FILES)) {
    const read = lazy(() => readFile(built, type));
    app.get(`/client/${name}`, {
      schema: { hide: true },
      handler: async (request, reply) => {
        // Read and compressed at the first request, which can take longer than the time limit of a request.
        reply.liftTimeLimit();
        const { file, version } = await read();
        reply.header('cache-control', 'no-cache');
        return sendFile(request, reply, file, version);
      },
    });
  }
}
