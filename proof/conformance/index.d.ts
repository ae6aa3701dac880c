export type Requirement = 'MUST' | 'SHOULD' | 'MAY';

/** A part of SPEC.md. All but `list` are run where the deployment has them. */
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
  requirement: Requirement;
  level: Level;
  /** The section of SPEC.md that has the rule, as its anchor. */
  section: string;
  /** The sentence of SPEC.md, verbatim: for all checks of the level `list`, and for others if it is short. */
  sentence?: string | undefined;
  /** The judged rule, as one sentence. */
  rule: string;
  /** What the check needs besides a key. With an operator's key, the kit creates the second key. */
  needs?: 'second key' | 'operator';
}

export interface Options {
  /** The base address of the deployment: whatever comes before /v1. */
  url: string;
  /** True if keys are also sent to another machine's http://, where others on the path could read them. */
  allowHttp?: boolean;
  /** An API key with the scope read. */
  key: string;
  /** A key of another account. */
  secondKey?: string;
  /** The base address of the operator's interface, and a key for it. */
  operatorUrl?: string;
  operatorKey?: string;
  /** Ids of checks; `*` at the end stands for any ending. */
  only?: string[];
  skip?: string[];
  /** Repeats the random values of another run. */
  seed?: number;
  /** The address of the specification in links of the report; SPEC.md by default. */
  spec?: string;
  /** All that the keys allow by default. */
  levels?: Level[];
  /** 5,000 by default. */
  maxRequests?: number;
  /** For the whole run, 300 seconds by default. */
  maxTimeSeconds?: number;
  /** Requests in flight at once, 4 by default. */
  concurrency?: number;
  /** Of one response, which is held in memory; 256 MiB by default. */
  maxResponseBytes?: number;
  /** Is called after each check. */
  onResult?: (result: CheckResult) => void;
}

export interface Failure {
  expected: string;
  got: string;
  /** A command that shows the failure; keys are variables such as $KEY. */
  curl?: string;
  /** What the response lacks, if the checks of several rules fail for the same lack. */
  cause?: string;
}

export interface CheckResult extends CheckInfo {
  outcome: 'passed' | 'failed' | 'not judged';
  /** Why it was not judged. */
  reason?: string;
  failure?: Failure;
  durationMs: number;
}

export interface LevelResult {
  level: Level;
  /** The section of SPEC.md that begins the level, as its anchor. */
  section: string;
  /** `failed` if a MUST failed; `not judged` if nothing was, with the reason. */
  outcome: CheckResult['outcome'];
  reason?: string;
  passed: number;
  failed: number;
  mustFailed: number;
  notJudged: number;
}

/** The address of the section, of SPEC.md or of the specification that was given. */
export interface Linked {
  link: string;
}

export type Result = CheckResult & Linked;
export type LevelReport = LevelResult & Linked;

export interface Report {
  kit: string;
  url: string;
  seed: number;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  requests: number;
  /** Why the run ended without judging: the deployment cannot be reached, or refuses the key. */
  stopped?: string;
  results: Result[];
  /** In the order of SPEC.md. */
  levels: LevelReport[];
  /**
   * The level to implement next: the section of the first failure, or the first level that the deployment
   * does not have or that was not run.
   */
  next?: { level: Level; section: string } & Linked;
  summary: { passed: number; failed: number; notJudged: number; mustFailed: number };
  /** 0; 1 if a MUST failed; 2 if both keys are of one account; 3 if the run was stopped. */
  exitCode: 0 | 1 | 2 | 3;
}

export declare const checks: readonly CheckInfo[];
export declare function runConformance(options: Options): Promise<Report>;
export declare function formatReport(report: Report, format: 'text' | 'json'): string;
