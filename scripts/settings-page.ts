import { SETTINGS } from '../src/config/settings.ts';

/** The page of the settings, made of the table that reads and checks them. */
export function settingsPage(): string {
  const sections = Object.values(SETTINGS).map(
    ({ name, type, bounds, default: standard, description }) =>
      `## ${name}\n\n${description}\n\n| | |\n|---|---|\n| form | ${type} |\n| bounds | ${bounds} |\n| default | ${standard} |\n`,
  );
  return `# Settings

Every setting is an environment variable. A file \`.env\` in the working directory adds those that the environment does
not have. They are read once, at the start: a wrong, empty or misspelt one is refused there with exit status 2, all
faults at once. Secrets are never printed.

This page is made by \`npm run settings\`.

${sections.join('\n')}`;
}
