/** A part of SPEC.md. The checks of a level that the deployment does not have are not judged. */
export type Level =
  | 'list'
  | 'retrieve'
  | 'search'
  | 'changes'
  | 'seals'
  | 'totals'
  | 'export'
  | 'webhooks'
  | 'record';

export interface CheckInfo {
  /** Stable, for example `list.order.ties`. */
  id: string;
  requirement: 'MUST' | 'SHOULD' | 'MAY';
  level: Level;
  /** The anchor of the section of SPEC.md that contains the rule. */
  section: string;
  /** The sentence of SPEC.md, verbatim. Only checks of the level `list` have a sentence. */
  sentence?: string | undefined;
  /** The rule that is judged, as one sentence. */
  rule: string;
  /** A key that the check needs besides `key`. With an operator's key, the kit creates the second key. */
  needs?: 'second key' | 'operator';
}

export interface Options {
  /** The base address of the deployment: whatever comes before /v1. */
  url: string;
  /** If true, keys are sent even over http:// to another machine, although the network could read them. */
  allowHttp?: boolean;
  /** An API key with the scope read. */
  key: string;
  /** A key of another account. */
  secondKey?: string;
  /** The base address of the operator's interface, and a key for it. */
  operatorUrl?: string;
  operatorKey?: string;
  /** Ids of checks. A `*` at the end matches any ending. */
  only?: string[];
  skip?: string[];
  /** The `seed` of an earlier report. The run then uses the same random values. */
  seed?: number;
  /** The address of the specification, for links in the report. Default: SPEC.md. */
  spec?: string;
  /** Default: all levels that the keys allow. */
  levels?: Level[];
  /** Default: 5,000. */
  maxRequests?: number;
  /** For the whole run. Default: 300. */
  maxTimeSeconds?: number;
  /** Requests in flight at once. Default: 4. */
  concurrency?: number;
  /** The largest response that is read. A response is held in memory. Default: 256 MiB. */
  maxResponseBytes?: number;
  onResult?: (result: CheckResult) => void;
}

export interface Failure {
  expected: string;
  got: string;
  /** A command that shows the failure. In place of keys, it has variables such as $KEY. */
  curl?: string;
  /** The mistake in the response. Several checks may fail for the same cause. */
  cause?: string;
}

export interface CheckResult extends CheckInfo {
  outcome: 'passed' | 'failed' | 'not judged';
  reason?: string;
  failure?: Failure;
  durationMs: number;
}

export interface LevelResult {
  level: Level;
  /** The anchor of the level's first section in SPEC.md. */
  section: string;
  /** `failed` if a MUST failed. `not judged` if no check could be judged: `reason` then says why. */
  outcome: CheckResult['outcome'];
  reason?: string;
  passed: number;
  failed: number;
  mustFailed: number;
  notJudged: number;
}

/** `link` is the address of the section in the document that `spec` of Options names. */
export type Result = CheckResult & { link: string };

export interface Report {
  kit: string;
  url: string;
  seed: number;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  requests: number;
  /** Why the run ended early: the deployment cannot be reached, or it refuses the key. */
  stopped?: string;
  results: Result[];
  /** In the order of SPEC.md. */
  levels: (LevelResult & { link: string })[];
  /** The first level with a failure. If there is none, the first level that was not run. */
  next?: { level: Level; section: string; link: string };
  summary: { passed: number; failed: number; notJudged: number; mustFailed: number };
  /** 0: no MUST failed. 1: a MUST failed. 2: both keys belong to one account. 3: the run was stopped. */
  exitCode: 0 | 1 | 2 | 3;
}

export declare const checks: readonly CheckInfo[];
export declare function runConformance(options: Options): Promise<Report>;
export declare function formatReport(report: Report, format: 'text' | 'json'): string;
