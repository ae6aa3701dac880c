import { writeFileSync } from 'node:fs';
import { SETTINGS, type Setting } from '../../src/config/settings.ts';
import { wrapped } from './wrapped.ts';

const wordsOf = (words: string) => words.replaceAll(/\w+/g, '`$&`').replace(/, (?=[^,]*$)/, ' or ');

export function settingsPage(): string {
  const sections = Object.values<Setting<unknown>>(SETTINGS).map(
    ({ name, form, bounds, default: value, defaultText = String(value ?? 'none'), description, isShared }) =>
      `## ${name}

${wrapped(`${description}${isShared ? ' Use the same value on all instances.' : ''}`)}

${wrapped(`- value: ${form === 'word' ? wordsOf(bounds) : `${form} (${bounds})`}`, '  ')}
${wrapped(`- default: ${defaultText}`, '  ')}
`,
  );
  return `# Settings

Every setting is an environment variable. A file \`.env\` in the working directory, or the file that [ENV_FILE](#env_file) names, adds variables that the environment does not have.

- If a value is wrong or empty, or a line of the file is not a setting, the program reports all faults and ends with exit status 2.
- If a variable in the environment has almost the name of a setting, the program warns.
- In the file, write values with a \`#\` in quotes: \`DATABASE_URL='sqlite:a#b.db'\`.

${sections.join('\n')}`;
}

if (import.meta.main) writeFileSync(new URL('../../docs/settings.md', import.meta.url), settingsPage());
