import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { BINARY, type DataSize, writeCsv } from './data.ts';

export function startImport(databaseUrl: string, csv?: string) {
  const child = spawn(process.execPath, [BINARY, 'import', csv ?? '-', '--format', 'csv'], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const done = once(child, 'exit').then(([status]) => {
    if (status !== 0) throw new Error('the import failed');
  });
  return { pid: child.pid as number, stdin: child.stdin, done };
}

export async function importInto(databaseUrl: string, size: DataSize): Promise<void> {
  const { stdin, done } = startImport(databaseUrl);
  await writeCsv(size, stdin);
  await done;
}
