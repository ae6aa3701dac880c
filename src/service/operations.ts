import { CAPABILITIES } from '../capabilities.ts';
import type { Operation } from '../http/operations/operation.ts';
import { serveMcp } from '../mcp/http/serve-mcp.ts';
import type { ServiceContext } from './context.ts';
import { HEALTH_OPERATIONS } from './health.ts';

const CALLED: readonly Operation<ServiceContext>[] = [
  ...CAPABILITIES.flatMap(({ operations }): readonly Operation<ServiceContext>[] => operations),
  ...HEALTH_OPERATIONS,
];

export const OPERATIONS: readonly Operation<ServiceContext>[] = [...CALLED, serveMcp(CALLED)];
