import { importChanged } from './load-mutant.ts';

const [entry = '', mutation = ''] = process.argv.slice(2);
await importChanged(entry, JSON.parse(mutation));
