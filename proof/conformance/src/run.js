import { readFileSync } from 'node:fs';
import { CHECKS } from './checks/index.js';
import { Context } from './context.js';
import { Deployment } from './deployment.js';
import { Exchange } from './exchange.js';
import { isMatch } from './is-match.js';
import { countsOf, LEVEL_PATHS, levelsOf, nextOf } from './levels.js';
import { Broken, NotJudged } from './outcomes.js';
import { BudgetSpent, NoResponse } from './transport.js';

/** @import { Check } from './checks/check.js' */
/** @import { Failure } from '../index.js' */
/** @typedef {CheckResult} Result */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const MAX_TEXT = 10_000;

const CHECKS_AT_ONCE = 4;

/** @param {Options} options @returns {Promise<Report>} */
export async function runConformance(options) {
  for (const url of [options.url, options.operatorUrl])
    if (url !== undefined && !options.allowHttp && isPlain(url))
      throw new TypeError(`${url} is http:// of another machine: use https://, or set allowHttp`);
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const deployment = new Deployment({ ...options, seed });
  const startedAt = new Date();
  const startedMs = performance.now();
  /** @type {Result[]} */
  let results = [];
  const refusal = await whyStopped(deployment);
  let stopped = refusal?.reason;
  if (stopped === undefined) {
    ({ results, stopped } = await runChecks(selectChecks(options), deployment, options.onResult));
  }
  deployment.transport.close();
  const summary = countsOf(results);
  const { spec = 'SPEC.md' } = options;
  /** @template {{ section: string }} Item @param {Item} item */
  const withLink = (item) => ({ ...item, link: `${spec}#${item.section}` });
  const levels = levelsOf(results).map(withLink);
  const next = results.length === 0 ? undefined : nextOf(levels, results);
  return {
    kit: version,
    url: deployment.secrets.redact(options.url),
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - startedMs),
    requests: deployment.transport.requests,
    ...(stopped !== undefined && { stopped: cut(deployment.secrets.redact(stopped)) }),
    results: results.map(withLink),
    levels,
    ...(next && { next: withLink(next) }),
    summary,
    exitCode: stopped !== undefined ? (refusal?.exitCode ?? 3) : summary.mustFailed > 0 ? 1 : 0,
  };
}

/**
 * True if a program on the network path could read the keys that are sent to the address.
 * @param {string} address
 */
export function isPlain(address) {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:.+\.)?localhost\.?)$/.test(hostname);
}

/** @param {Pick<Options, 'levels' | 'only' | 'skip'>} options */
export function selectChecks({ only, skip = [], levels }) {
  return CHECKS.filter(
    ({ id, level }) =>
      (only === undefined || only.some((pattern) => isMatch(id, pattern))) &&
      !skip.some((pattern) => isMatch(id, pattern)) &&
      (levels === undefined || levels.includes(level)),
  );
}

/** @param {Deployment} deployment @returns {Promise<{ reason: string, exitCode: 2 | 3 } | undefined>} */
async function whyStopped(deployment) {
  const because = (/** @type {string} */ reason, /** @type {2 | 3} */ exitCode = 3) => ({ reason, exitCode });
  const refusalOf = (/** @type {string} */ whose, /** @type {Exchange} */ { status, summary, curl }) =>
    status === 401 || status === 403
      ? because(`The deployment refuses ${whose}: ${summary}. Nothing was judged. Try: ${curl}`)
      : undefined;
  const { client, secondKey, clientFor, operator } = deployment;
  try {
    const refused =
      refusalOf('the key', await client.list()) ??
      (secondKey && refusalOf('the second key', await clientFor(secondKey).list()));
    if (refused) return refused;
    if (await hasOneAccount(deployment))
      return because('--second-key is a key of the same account as --key. Nothing was judged.', 2);
    const needed = "the operator's key, which needs the scopes record and keys";
    return operator && refusalOf(needed, await operator.requestKey());
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    if (error instanceof BudgetSpent || error instanceof NotJudged)
      return because(`Nothing was judged: ${message}.`);
    return because(
      `The deployment cannot be reached: ${message}. Nothing was judged. --url is what comes before /v1.`,
    );
  }
}

/** @param {Deployment} deployment */
async function hasOneAccount({ client, secondKey, clientFor }) {
  if (secondKey === undefined) return false;
  if (secondKey === client.key) return true;
  const [first, second] = [await client.send('/v1/key'), await clientFor(secondKey).send('/v1/key')];
  const isText = typeof first.body?.account === 'string';
  return first.status === 200 && isText && first.body.account === second.body?.account;
}

/**
 * @param {readonly Check[]} checks
 * @param {Deployment} deployment
 * @param {((result: Result) => void) | undefined} onResult
 */
async function runChecks(checks, deployment, onResult) {
  /** @type {Map<string, Result>} */
  const results = new Map();
  /** @type {string | undefined} */
  let stopped;
  for (const isLast of [false, true]) {
    const queue = checks.filter((check) => (check.isLast ?? false) === isLast);
    const work = async () => {
      for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
        const { result, isUnreachable } = await runCheck(check, deployment);
        if (isUnreachable) stopped = `The deployment could no longer be reached: ${result.reason}.`;
        results.set(check.id, result);
        onResult?.(result);
      }
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  }
  const ordered = checks.map(({ id }) => /** @type {Result} */ (results.get(id)));
  return { results: ordered, stopped };
}

/** @param {string} text */
const cut = (text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text);

/**
 * @param {Check} check @param {Deployment} deployment
 * @returns {Promise<{ result: Result, isUnreachable: boolean }>}
 */
async function runCheck({ run, isLast: _, ...info }, deployment) {
  const startedMs = performance.now();
  const { outcome, reason, failure, isUnreachable = false } = await judge(info, run, deployment);
  // Cut last: `redact` could miss the rest of a key that is cut.
  const redact = (/** @type {string} */ text) => cut(deployment.secrets.redact(text));
  const durationMs = Math.round(performance.now() - startedMs);
  /** @type {Result} */
  const result = { ...info, outcome, ...(reason !== undefined && { reason: redact(reason) }), durationMs };
  if (failure !== undefined) {
    const texts = Object.entries(failure).filter(([, text]) => text !== undefined);
    result.failure = /** @type {any} */ (
      Object.fromEntries(texts.map(([name, text]) => [name, redact(text)]))
    );
  }
  return { result, isUnreachable };
}

/**
 * @typedef {{ outcome: Result['outcome'], reason?: string, failure?: Failure,
 *   isUnreachable?: boolean }} Judged
 * @param {CheckInfo} info @param {Check['run']} run @param {Deployment} deployment
 * @returns {Promise<Judged>}
 */
async function judge(info, run, deployment) {
  const context = new Context(deployment, info.id);
  try {
    await requireNeeds(info, deployment);
    await run(context);
    return context.judged === 0
      ? { outcome: 'not judged', reason: 'this data has nothing to judge' }
      : { outcome: 'passed' };
  } catch (error) {
    return explain(error);
  }
}

/** @param {unknown} error @returns {Judged} */
function explain(error) {
  if (error instanceof Broken) {
    const { expected, got, curl, cause } = error;
    return { outcome: 'failed', failure: { expected, got, curl, cause } };
  }
  if (error instanceof NoResponse && !error.isRefused) {
    const { curl } = new Exchange(error.sent, 0, {}, Buffer.alloc(0));
    const got = `no response: ${error.message}`;
    return { outcome: 'failed', failure: { expected: 'a response', got, curl, cause: got } };
  }
  if (error instanceof NoResponse || error instanceof NotJudged || error instanceof BudgetSpent)
    return { outcome: 'not judged', reason: error.message, isUnreachable: error instanceof NoResponse };
  // The response has a form that the check does not expect, for example a list in place of an object.
  return {
    outcome: 'failed',
    failure: { expected: 'a response that the check can read', got: String(error) },
  };
}

/** @param {CheckInfo} info @param {Deployment} deployment */
async function requireNeeds({ level, needs }, deployment) {
  if (needs === 'operator' && deployment.operator === undefined)
    throw new NotJudged('needs --operator-url and --operator-key');
  const path = LEVEL_PATHS[level];
  const reason = path === undefined ? undefined : await deployment.whyAbsent(path);
  if (reason !== undefined) throw new NotJudged(reason);
  if (needs === 'second key') await deployment.second();
}
