import type { FastifyInstance } from 'fastify';
import { type ReadBuiltFile, readBuiltFile } from './built-files.ts';
import { clientModuleRoutes } from './client-module.ts';
import { type PageDependencies, pageRoutes } from './page.ts';

interface FileDependencies extends Omit<PageDependencies, 'readBuiltFile'> {
  readBuiltFile?: ReadBuiltFile | undefined;
}

/** What browsers and programs load: the page and the client. */
export function fileRoutes(app: FastifyInstance, dependencies: FileDependencies): void {
  const { readBuiltFile: read = readBuiltFile, ...page } = dependencies;
  pageRoutes(app, { ...page, readBuiltFile: read });
  clientModuleRoutes(app, read);
}
