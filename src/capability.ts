import type { Registry } from '@prometheus-io/client';
import type { Operation } from './http/operations/operation.ts';

/** Rows that expire, and are then removed. */
interface Expiring {
  /** What log lines call the rows. */
  name: string;
  /**
   * `operator`: only processes with the operator's interface remove them, because their role has the right.
   */
  on: 'all' | 'operator';
  remove(store: never, nowMs: number, signal: AbortSignal): Promise<unknown>;
}

/**
 * The parts that a capability gives the service. Its capability.ts exports them, and src/capabilities.ts
 * lists all capabilities.
 */
interface Capability {
  operations: readonly Operation<never>[];
  metrics?: (registers: Registry[]) => object;
  expiring?: Expiring;
}

/** Keeps the exact type of a capability, so that the compiler checks what the service passes to it. */
export const capability = <const Value extends Capability>(value: Value) => value;
