import { registerHooks } from 'node:module';

/* A test file must import this file before the store, and must import the store dynamically. */

const FILE = '/src/db/postgres/driver/statement.ts';
const DECLARATION = 'export function statement(text: string): Statement {';

const declared = new Set<string>();
(globalThis as { declaredStatements?: Set<string> }).declaredStatements = declared;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(FILE)) return loaded;
    const source = String(loaded.source);
    if (source.split(DECLARATION).length !== 2) throw new Error(`${FILE} does not contain: ${DECLARATION}`);
    return {
      ...loaded,
      source: source.replace(DECLARATION, `${DECLARATION} (globalThis as any).declaredStatements.add(text);`),
    };
  },
});

export const declaredStatements: ReadonlySet<string> = declared;
