import type { Registry } from '@prometheus-io/client';
import type { Operation } from './http/operations/operation.ts';

interface Expiring {
  name: string;
  /** `operator`: only instances with the operator's listener remove the rows. */
  on: 'all' | 'operator';
  remove(store: never, nowMs: number, signal: AbortSignal): Promise<unknown>;
}

interface Capability {
  operations: readonly Operation<never>[];
  metrics?: (registers: Registry[]) => object;
  expiring?: Expiring;
}

export const capability = <const Value extends Capability>(value: Value) => value;
