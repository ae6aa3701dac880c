import type { Registry } from '@prometheus-io/client';
import type { Operation } from './http/operations/operation.ts';

/** Rows that have an end, and are removed after it. */
interface Expiring {
  /** Logs call the rows this. */
  name: string;
  /**
   * `each`: they are removed from each server of the database; `operator`: by the processes with the
   * operator's interface, whose role can.
   */
  on: 'each' | 'operator';
  remove(store: never, nowMs: number, at: { node: string; signal: AbortSignal }): Promise<unknown>;
}

/**
 * The parts that a capability gives the service. Its capability.ts exports them, and src/capabilities.ts
 * lists all capabilities.
 */
export interface Capability {
  operations: readonly Operation<never>[];
  metrics?: (registers: Registry[]) => object;
  expiring?: Expiring;
}

/** Keeps the types of a capability: what its operations need is checked where it is composed. */
export const capability = <const Value extends Capability>(value: Value) => value;
