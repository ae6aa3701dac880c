import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { buildProgram } from '../../bin/main.ts';
import { buildAccountProgram } from '../../client/commands/account-program.ts';
import { wrapped } from './wrapped.ts';

interface Page {
  words: string;
  program: Command;
  head: string;
  onOtherPage?: Command;
}

interface Item {
  name: string;
  text: string;
}

const SHARED_BY = 3;

function itemsOf(command: Command): Item[] {
  const help = command.createHelp();
  const named = help
    .visibleArguments(command)
    .map((argument) => ({ name: argument.name(), text: help.argumentDescription(argument) }));
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => ({ name: option.flags, text: help.optionDescription(option) }));
  return [...named, ...options].map(({ name, text }) => ({
    name: `\`${name}\``,
    text: text.replaceAll('<', '\\<'),
  }));
}

const listOf = (items: readonly Item[]) =>
  items.map(({ name, text }) => `${wrapped(`- ${name}: ${text}`, '  ')}\n`).join('');

const isSame = (one: Item) => (other: Item) => one.name === other.name && one.text === other.text;

function section({ words, command }: Named, shared: readonly Item[]): string {
  const items = itemsOf(command);
  const isShared = (item: Item) => shared.some(isSame(item));
  const own = items.filter((item) => !isShared(item));
  const named = items.filter(isShared).map(({ name }) => name.replace(/ <[^>]*>/, ''));
  const also = named.length === 0 ? '' : `\n${wrapped(`[Shared](#shared-options): ${named.join(', ')}.`)}\n`;
  const usage = command.usage() === '[options]' ? '' : `\n\`\`\`\n${words} ${command.usage()}\n\`\`\`\n`;
  return `## ${words}

${wrapped(sentence(command.description()))}
${usage}${own.length === 0 ? '' : `\n${listOf(own)}`}${also}`;
}

const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

interface Named {
  words: string;
  command: Command;
}

const commandsOf = (words: string, command: Command): Named[] => {
  const own = command.commands.filter((one) => one.name() !== 'help');
  const isCommand = own.length === 0 || (command.parent !== null && command.options.length > 0);
  return [
    ...(isCommand ? [{ words, command }] : []),
    ...own.flatMap((one) => commandsOf(`${words} ${one.name()}`, one)),
  ];
};

function pageOf({ words, program, head, onOtherPage }: Page): string {
  const others = onOtherPage === undefined ? [] : commandsOf(words, onOtherPage).map((one) => one.words);
  const commands = commandsOf(words, program).filter((one) => !others.includes(one.words));
  const items = commands.flatMap(({ command }) => itemsOf(command));
  const shared = items.filter(
    (item, index) =>
      items.findIndex(isSame(item)) === index && items.filter(isSame(item)).length >= SHARED_BY,
  );
  const above = shared.length === 0 ? '' : `\n## Shared options\n\n${listOf(shared)}`;
  return `${head}${above}
${commands.map((named) => section(named, shared)).join('\n')}`;
}

export async function commandPages(): Promise<Record<string, string>> {
  const account = await buildAccountProgram();
  return {
    'commands.md': pageOf({
      words: 'transactions',
      program: await buildProgram(undefined),
      onOtherPage: account,
      head: `# Commands

For operators: the commands, as \`--help\` prints them. <!-- clone -->In a clone, \`transactions\` stands for \`npx --no-install transactions\`.<!-- /clone -->
In a container, run \`docker compose exec transactions transactions COMMAND\`. Commands read the [settings](settings.md) of the service. The program also has the
[commands of an account](account-commands.md), such as \`transactions list\`. The exit status is 0 after success, 1 if the command failed, and 2 if it was used wrongly.
`,
    }),
    'account-commands.md': pageOf({
      words: 'node transactions.mjs',
      program: account,
      head: `# Commands of an account

The commands of \`transactions.mjs\`, the [command line](using-the-api.md#the-command-line). The exit status is 0 after
success, 1 if the command failed, and 2 if it was used wrongly.
`,
    }),
  };
}

if (import.meta.main)
  for (const [name, text] of Object.entries(await commandPages()))
    writeFileSync(new URL(`../../docs/${name}`, import.meta.url), text);
