import type { Command } from 'commander';
import { buildAccountProgram } from '../../src/cli/account/account-program.ts';
import { buildProgram } from '../../src/cli/main.ts';
import { wrapped } from './wrapped.ts';

/** A page of commands: what it is generated from, and what is above them. */
interface Page {
  words: string;
  program: Command;
  head: string;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

function section(words: string, command: Command): string {
  const help = command.createHelp();
  const named = [
    ...help
      .visibleArguments(command)
      .map((argument) => [argument.name(), help.argumentDescription(argument)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((option) => [option.flags, help.optionDescription(option)]),
  ];
  const rows = named.map(
    ([name = '', text = '']) => `| \`${name.replaceAll('|', '\\|')}\` | ${cell(text)} |\n`,
  );
  const options = rows.length === 0 ? '' : `\n| argument or option | meaning |\n|---|---|\n${rows.join('')}`;
  return `## ${words}

${wrapped(sentence(command.description()))}

\`\`\`
${words} ${command.usage()}
\`\`\`
${options}`;
}

const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

const sectionsOf = (words: string, command: Command): string[] => {
  const own = command.commands.filter((one) => one.name() !== 'help');
  return own.length === 0
    ? [section(words, command)]
    : own.flatMap((one) => sectionsOf(`${words} ${one.name()}`, one));
};

const pageOf = ({ words, program, head }: Page) =>
  `${head}
${program.commands
  .filter((one) => one.name() !== 'help')
  .flatMap((one) => sectionsOf(`${words} ${one.name()}`, one))
  .join('\n')}`;

/** The pages of docs that are generated from what --help prints, by their file names. */
export async function commandPages(): Promise<Record<string, string>> {
  return {
    'commands.md': pageOf({
      words: 'transactions',
      program: await buildProgram(undefined),
      head: `# Commands

For operators: what \`transactions COMMAND --help\` prints. <!-- clone -->In a clone, \`transactions\` stands for \`npx --no-install transactions\`.<!-- /clone -->
In a container, write the name of the container before it: \`docker compose exec transactions transactions COMMAND\`. Commands read the [settings](settings.md) of the service. The exit status is 0,
1 if the command failed, or 2 if it was used wrongly.
`,
    }),
    'account-commands.md': pageOf({
      words: 'node transactions.mjs',
      program: await buildAccountProgram(),
      head: `# Commands of an account

For developers, finance and support: the [command line](using-the-api.md#the-command-line) that the service serves, as its \`--help\` prints it. The exit status is 0, 1 if the command failed, or 2 if it
was used wrongly.
`,
    }),
  };
}
