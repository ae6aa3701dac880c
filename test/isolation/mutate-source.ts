import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ROOT, type SourceMutation } from './mutants.ts';

/* Preloaded before a test file: replaces a text in one source file as it is loaded. */

const { file, from, to }: SourceMutation = JSON.parse(process.env['SOURCE_MUTATION'] ?? '');
const path = `${ROOT}${file}`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith('file:') || fileURLToPath(url) !== path) return loaded;
    const text = String(loaded.source);
    if (text.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
    return { ...loaded, source: text.replace(from, () => to) };
  },
});
