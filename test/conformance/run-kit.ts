import { type Options, type Report, runConformance } from '../../conformance/index.js';
import type { Defect } from './broken-servers/defect.ts';
import { startBrokenServer } from './broken-servers/start-broken-server.ts';
import { fillAccounts } from './fill-accounts.ts';
import { type RunningServer, startServer } from './right-server/server.ts';
import type { ServiceOptions } from './right-server/service.ts';

/** An option that is undefined is not given. */
type KitOptions = { [Name in keyof Options]?: Options[Name] | undefined };

export const OPERATOR_KEY = 'operator-key-of-this-test';

/** Runs the kit against a server with filled accounts, with the operator's key unless the options say otherwise. */
export async function runKit(
  server: RunningServer,
  options: KitOptions = {},
  more?: number,
): Promise<Report> {
  const { key, secondKey } = fillAccounts(server, more);
  const url = server.url + server.service.basePath;
  const all = { url, key, secondKey, operatorUrl: url, operatorKey: OPERATOR_KEY, ...options };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return runConformance(Object.fromEntries(given) as unknown as Options);
}

/** Runs the kit, or a part of it, against the right server. */
export async function judgeRightServer(
  options: KitOptions,
  serverOptions: Partial<ServiceOptions> = {},
): Promise<Report> {
  const server = await startServer({ operatorKey: OPERATOR_KEY, allowsLoopback: true, ...serverOptions });
  try {
    return await runKit(server, options);
  } finally {
    await server.stop();
  }
}

/** Runs the kit, or a part of it, against a broken server. */
export async function judgeBrokenServer(defect: Defect, options: KitOptions): Promise<Report> {
  const server = await startBrokenServer(defect, {
    operatorKey: OPERATOR_KEY,
    allowsLoopback: true,
    ...defect.options,
  });
  try {
    return await runKit(server, options, defect.rows);
  } finally {
    await server.stop();
  }
}

/** The checks that failed, with what was expected and what came. */
export function failuresOf({ results, stopped }: Report): string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const texts = failed.map(({ id, failure }) => `${id}: expected ${failure?.expected}, got ${failure?.got}`);
  return stopped === undefined ? texts : [...texts, stopped];
}
