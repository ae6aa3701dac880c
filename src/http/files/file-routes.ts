import type { FastifyInstance } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import type { BuiltFile } from './built-files.ts';
import { type PageDependencies, pageRoutes } from './page.ts';
import { builtFileRoute } from './send-file.ts';

/** The served files, each with its built file. Their types make browsers show them as text. */
const FILES: Readonly<Record<string, readonly [built: BuiltFile, type: string]>> = {
  'transactions-client.mjs': ['transactions-client.mjs', 'text/javascript; charset=utf-8'],
  'transactions-client.d.mts': ['transactions-client.d.mts', 'text/plain; charset=utf-8'],
  'transactions-platform.mjs': ['transactions-platform.mjs', 'text/javascript; charset=utf-8'],
  'transactions-platform.d.mts': ['transactions-platform.d.mts', 'text/plain; charset=utf-8'],
  // npm remembers the hash for a URL, so each version has its own URL.
  [`transactions-client-${packageJson.version}.tgz`]: ['transactions-client.tgz', 'application/gzip'],
  'transactions.mjs': ['transactions.mjs', 'text/javascript; charset=utf-8'],
};

/**
 * The files that browsers and programs load: the page; the client, as one module with its types and as a
 * package; and an account's command line. A caller needs only the address.
 */
export function fileRoutes(app: FastifyInstance, dependencies: PageDependencies): void {
  pageRoutes(app, dependencies);
  for (const [name, [built, type]] of Object.entries(FILES))
    builtFileRoute(app, `/client/${name}`, type, () => dependencies.readBuiltFile(built));
}
