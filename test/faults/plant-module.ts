import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import { brokenText, ROOT, type SourceChange } from './source-change.ts';

/* Loaded before a program: the module or the file of statements of the fault has its broken text, in each thread. */
const change = JSON.parse(process.env['PLANTED_CHANGE'] ?? '') as SourceChange;
const url = pathToFileURL(ROOT + change.file).href;
const source = brokenText(change);

registerHooks({
  load: (loaded, context, next) =>
    loaded === url ? { format: 'module-typescript', source, shortCircuit: true } : next(loaded, context),
});

const { readFileSync } = fs;
fs.readFileSync = ((file: URL, options: BufferEncoding) =>
  String(file) === url ? source : readFileSync(file, options)) as typeof readFileSync;
syncBuiltinESMExports();
