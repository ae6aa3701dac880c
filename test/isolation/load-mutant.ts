import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ROOT, type SourceMutation } from './mutants.ts';

const ROOT_URL = pathToFileURL(ROOT).href;
/** What the modules of a mutant get in place of modules of Node.js. */
const STAND_INS = new Map([
  ['node:test', new URL('./collected-tests.ts', import.meta.url).href],
  ['node:worker_threads', new URL('./mutant-threads.ts', import.meta.url).href],
]);

const mutations: SourceMutation[] = [];
const imports = new Map<string, string[]>();
const scripts = new Map<string, string>();
const reaching = new Map<string, Map<string, boolean>>();

/**
 * The changed module, the modules that import it or start a thread with it, and all that have tests have the number of the
 * mutant in their addresses, so that they are modules of this mutant alone. It shares all others: to load them for each would
 * take most of the time.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const mutant = mutantOf(context.parentURL);
    if (mutant === null) return nextResolve(specifier, context);
    const standIn = STAND_INS.get(specifier);
    if (standIn !== undefined && !context.parentURL?.startsWith(standIn))
      return { url: `${standIn}?mutant=${mutant}`, shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    const changed = ROOT_URL + mutations[mutant]?.file;
    const isAffected = reaches(resolved.url, changed) || reaches(resolved.url, 'node:test');
    return isAffected ? { ...resolved, url: `${resolved.url}?mutant=${mutant}` } : resolved;
  },
  load(url, context, nextLoad) {
    const mutant = mutantOf(url);
    if (mutant === null) return nextLoad(url, context);
    const [address = ''] = url.split('?');
    const source =
      address === ROOT_URL + mutations[mutant]?.file
        ? stripTypeScriptTypes(change(mutations[mutant] as SourceMutation))
        : scriptOf(address);
    return { format: 'module', source, shortCircuit: true };
  },
});

/** Loads a test file with a text replaced in one file of the source. Returns a function that runs one of its tests. */
export async function loadMutant(
  testFile: string,
  mutation: SourceMutation,
): Promise<typeof import('./collected-tests.ts').runCollected> {
  const mutant = await importChanged(ROOT_URL + testFile, mutation);
  return (await import(`${STAND_INS.get('node:test')}?mutant=${mutant}`)).runCollected;
}

/** Imports a module with a text replaced in one file of the source. Returns the number of the mutant. */
export async function importChanged(url: string, mutation: SourceMutation): Promise<number> {
  const mutant = mutations.push(mutation) - 1;
  await import(`${url}?mutant=${mutant}`);
  return mutant;
}

/** The mutation whose module has this address. */
export const mutationOf = (url: string) => mutations[mutantOf(url) ?? -1];

function mutantOf(url: string | undefined): number | null {
  if (!url?.startsWith(ROOT_URL)) return null;
  const number = new URL(url).searchParams.get('mutant');
  return number === null ? null : Number(number);
}

function change({ file, from, to }: SourceMutation): string {
  const text = readFileSync(ROOT + file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
  return text.replace(from, () => to);
}

function scriptOf(address: string): string {
  const script = scripts.get(address) ?? stripTypeScriptTypes(readFileSync(new URL(address), 'utf8'));
  scripts.set(address, script);
  return script;
}

/** Whether a module is another one, or imports it, itself or through others. */
function reaches(url: string, target: string): boolean {
  if (url === target) return true;
  if (!url.startsWith(ROOT_URL) || url.includes('/node_modules/') || !url.endsWith('.ts')) return false;
  const known = reaching.get(target) ?? new Map<string, boolean>();
  reaching.set(target, known);
  const answer = known.get(url);
  if (answer !== undefined) return answer;
  known.set(url, false);
  const found = importsOf(url).some((one) => reaches(one, target));
  known.set(url, found);
  return found;
}

function importsOf(url: string): string[] {
  const known = imports.get(url);
  if (known !== undefined) return known;
  const found = scriptOf(url).matchAll(/\b(?:from |import\(|new URL\()'(node:test|\.[^']+)'/g);
  const urls = [...found].map(([, name = '']) => (name.startsWith('.') ? new URL(name, url).href : name));
  imports.set(url, urls);
  return urls;
}
