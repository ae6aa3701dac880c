import { SETTINGS, type Setting } from '../../src/config/settings.ts';
import { wrapped } from './wrapped.ts';

/** docs/settings.md, generated from the declarations of the settings. */
export function settingsPage(): string {
  const sections = Object.values<Setting<unknown>>(SETTINGS).map(
    ({ name, form, bounds, default: value, defaultText = String(value), description, isShared }) =>
      `## ${name}

${wrapped(`${description}${isShared ? ' The same on all instances.' : ''}`)}

${wrapped(`- value: ${form}: ${bounds}`, '  ')}
${wrapped(`- default: ${defaultText}`, '  ')}
`,
  );
  return `# Settings

Every setting is an environment variable. A file \`.env\` in the working directory, or that of [ENV_FILE](#env_file), adds variables that the environment does not have. Settings
are read once, at the start. If the value of one is wrong or empty, or \`.env\` has a name that is not a setting, a setting twice, or a line
that is neither a setting nor a comment, the program ends with exit status 2 and reports all faults at once. In the environment, which other
programs fill too, a name that is not a setting has no effect, and is a warning if it is close to the name of a setting.

Values with a \`#\` are written in quotes in \`.env\`: \`DATABASE_URL='sqlite:a#b.db'\`.

${sections.join('\n')}`;
}
