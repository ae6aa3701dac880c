import { readFileSync } from 'node:fs';

const [, ...SECTIONS] = readFileSync(new URL('./corruptions.txt', import.meta.url), 'utf8').split(/^# /m);

export const corruptionsOf = (database: 'SQLite' | 'PostgreSQL' | 'Citus') =>
  SECTIONS.flatMap((section) => {
    const [name = '', on = '', ...lines] = section.trimEnd().split('\n');
    const databases = on.slice('on: '.length).split(' ');
    if (!databases.includes(database)) return [];
    const isReported = (line: string) => line.startsWith('! ');
    return {
      name,
      sql: lines
        .filter((line) => !isReported(line))
        .join('\n')
        .split('\n--\n'),
      reported: lines.filter(isReported).map((line) => line.slice(2)),
      breaksConstraints: databases.length > 1,
    };
  });
