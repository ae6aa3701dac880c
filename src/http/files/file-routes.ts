import type { FastifyInstance } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import type { BuiltFile } from './built-files.ts';
import { type PageDependencies, pageRoutes } from './page.ts';
import { builtFileRoute } from './send-file.ts';

/** If the type begins with `text/`, browsers show the file as text. */
const FILES: Readonly<Record<string, readonly [built: BuiltFile, type: string]>> = {
  'transactions-client.mjs': ['transactions-client.mjs', 'text/javascript; charset=utf-8'],
  'transactions-client.d.mts': ['transactions-client.d.mts', 'text/plain; charset=utf-8'],
  'transactions-platform.mjs': ['transactions-platform.mjs', 'text/javascript; charset=utf-8'],
  'transactions-platform.d.mts': ['transactions-platform.d.mts', 'text/plain; charset=utf-8'],
  // npm remembers the hash for a URL, so each version has its own URL.
  [`transactions-client-${packageJson.version}.tgz`]: ['transactions-client.tgz', 'application/gzip'],
  'transactions.mjs': ['transactions.mjs', 'text/javascript; charset=utf-8'],
};

export function fileRoutes(app: FastifyInstance, dependencies: PageDependencies): void {
  pageRoutes(app, dependencies);
  for (const [name, [built, type]] of Object.entries(FILES))
    builtFileRoute(app, `/client/${name}`, type, () => dependencies.readBuiltFile(built));
}
