import type { Registry } from '@prometheus-io/client';
import type { Operation } from './http/operations/operation.ts';

/** Rows that have an end, and are removed after it. */
interface Expiring {
  /** Logs call the rows this. */
  name: string;
  /**
   * `each`: expired rows are removed on each node of the database. `operator`: by processes with the
   * operator's interface, whose role has the right.
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

/**
 * Returns a capability with its own types, so that the compiler checks its dependencies where it is composed.
 */
export const capability = <const Value extends Capability>(value: Value) => value;
