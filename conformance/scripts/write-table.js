import { readFileSync, writeFileSync } from 'node:fs';
import { checks } from '../index.js';
import { withTable } from '../src/report/table.js';

const path = new URL('../README.md', import.meta.url);
writeFileSync(path, withTable(readFileSync(path, 'utf8'), checks));
