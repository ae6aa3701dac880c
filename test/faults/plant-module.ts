import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { brokenText, ROOT, type SourceChange } from './source-change.ts';

/* Loaded before a program: the module of the fault has its broken text, in each thread. */
const change = JSON.parse(process.env['PLANTED_CHANGE'] ?? '') as SourceChange;
const url = pathToFileURL(ROOT + change.file).href;

registerHooks({
  load: (loaded, context, next) =>
    loaded === url
      ? { format: 'module-typescript', source: brokenText(change), shortCircuit: true }
      : next(loaded, context),
});
