import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SECOND = 'CREATE TABLE made_up (number INTEGER PRIMARY KEY);\n';

export function newerProgram(folder: string): string {
  for (const copied of ['bin', 'src', 'values', 'package.json'])
    cpSync(join(ROOT, copied), join(folder, copied), { recursive: true });
  for (const shared of ['node_modules', 'client', 'web'])
    symlinkSync(join(ROOT, shared), join(folder, shared));
  for (const database of ['sqlite', 'postgres'])
    writeFileSync(join(folder, `src/db/${database}/migrations/0002-made-up.sql`), SECOND);
  return join(folder, 'bin/transactions.js');
}
