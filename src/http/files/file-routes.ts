import type { FastifyInstance } from 'fastify';
import type { StatusNames } from '../../values/status.ts';
import { guideRoutes } from '../reference/guides.ts';
import { type ReadBuiltFile, readBuiltFile } from './built-files.ts';
import { clientModuleRoutes } from './client-module.ts';
import { pageRoutes } from './page.ts';

interface FileDependencies {
  statuses: StatusNames;
  readBuiltFile?: ReadBuiltFile | undefined;
}

/** What browsers and programs load: the page, the client and the guides. */
export function fileRoutes(app: FastifyInstance, dependencies: FileDependencies): void {
  const { statuses, readBuiltFile: read = readBuiltFile } = dependencies;
  pageRoutes(app, { statuses, readBuiltFile: read });
  clientModuleRoutes(app, read);
  guideRoutes(app, read);
}
