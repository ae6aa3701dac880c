/** Other folders import the driver from here. They may import address.ts directly, which does not load pg. */
export { maskPostgresUrl, type PostgresAddress, parsePostgresUrl } from './address.ts';
export { type BackgroundConnections, backgroundConnections } from './background-connections.ts';
export { connectToPrimary, onPrimary, type SessionLimits } from './connect.ts';
export { Connection } from './connection.ts';
export { Connections } from './connections.ts';
export {
  asRefused,
  explainError,
  explainPostgresError,
  failedStep,
  isDeadlock,
  isDuplicate,
  isLockTimeout,
  isRowError,
  isSlowStatement,
  MOVED_CONSTRAINT,
  sqlState,
} from './errors.ts';
export { KeyedConnections } from './keyed-connections.ts';
export {
  LIST_SETTINGS,
  LIST_SETTINGS_ON_CITUS,
  LIST_SWITCHES,
  type PlanSettings,
  RECORDING_SETTINGS,
  RECORDING_SETTINGS_ON_CITUS,
} from './plan-settings.ts';
export { LOG_POSITION, Replicas } from './replicas.ts';
export {
  arrayQuery,
  arrayText,
  type ReadStatement,
  readColumn,
  readStatement,
  type Statement,
  statement,
  type TxRows,
  type TxStep,
  type Value,
} from './statement.ts';
