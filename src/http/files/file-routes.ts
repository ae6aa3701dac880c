import type { FastifyInstance } from 'fastify';
import type { Statuses, StatusNames } from '../../values/status.ts';
import { guideRoutes } from '../reference/guides.ts';
import { type ReadBuiltFile, readBuiltFile } from './built-files.ts';
import { clientModuleRoutes } from './client-module.ts';
import { pageRoutes } from './page.ts';

interface FileDependencies {
  /** The statuses that filters accept, and the declared ones with their rules. */
  statuses: StatusNames;
  declaredStatuses: Statuses;
  readBuiltFile?: ReadBuiltFile | undefined;
}

/** What browsers and programs load: the page, the client and the guides. */
export function fileRoutes(app: FastifyInstance, dependencies: FileDependencies): void {
  const { readBuiltFile: read = readBuiltFile, ...statuses } = dependencies;
  pageRoutes(app, { ...statuses, readBuiltFile: read });
  clientModuleRoutes(app, read);
  guideRoutes(app, read);
}
