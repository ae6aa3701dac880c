import type { Command, Option } from 'commander';
import { buildProgram } from '../bin/main.ts';
import { SETTINGS } from '../src/config/settings.ts';
import type { Source } from './source.ts';

interface Named {
  words: string;
  command: Command;
}

const program = await buildProgram(undefined);

const commandsOf = ({ words, command }: Named): Named[] =>
  command.commands
    .filter((one) => one.name() !== 'help')
    .map((one) => ({ words: `${words} ${one.name()}`, command: one }));

const withSubcommands = (named: Named): Named[] => [named, ...commandsOf(named).flatMap(withSubcommands)];

const visibleOptions = (command: Command): readonly Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');

export function buildManual({ version, madeAtSeconds }: Source): string {
  const day = new Date(madeAtSeconds * 1000).toISOString().slice(0, 10);
  const root = { words: program.name(), command: program };
  const commands = withSubcommands(root).filter(({ command }) => command.commands.length === 0);
  return [
    `.TH TRANSACTIONS 1 ${day} "transactions ${version}" "User Commands"`,
    '.SH NAME',
    roff(`transactions - ${firstSmall(program.description())}`),
    '.SH SYNOPSIS',
    '.B transactions\n.I COMMAND\n[\n.I OPTION\n]...',
    '.SH COMMANDS',
    ...commands.map(section),
    '.SH ENVIRONMENT',
    roff('Settings are read from the environment, and from the file that ENV_FILE names.'),
    ...Object.values(SETTINGS).map(({ name, description }) => `.TP\n.B ${roff(name)}\n${roff(description)}`),
    '.SH FILES',
    '.TP\n.I /etc/transactions/transactions.env\nThe settings of the service.',
    '.TP\n.I /var/lib/transactions\nThe database, if it is SQLite.',
    '.SH EXIT STATUS',
    roff('0, 1 if the command failed, 2 if it was used wrongly.'),
    '',
  ].join('\n');
}

function section({ words, command }: Named): string {
  const help = command.createHelp();
  const options = visibleOptions(command).map(
    (option) => `.TP\n.B ${roff(option.flags)}\n${roff(help.optionDescription(option))}`,
  );
  return [`.SS "${roff(`${words} ${command.usage()}`)}"`, roff(command.description()), ...options].join('\n');
}

const roff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
const firstSmall = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;

export function buildCompletion(): string {
  const cases = withSubcommands({ words: program.name(), command: program }).map((named) => {
    const words = [
      ...commandsOf(named).map(({ command }) => command.name()),
      ...visibleOptions(named.command).map(({ long }) => long),
      '--help',
    ];
    return `    '${named.words}') words='${words.join(' ')}' ;;`;
  });
  return `# bash completion of transactions
_transactions() {
  local current=\${COMP_WORDS[COMP_CWORD]} command=transactions words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) if [[ $_transactions_commands == *"|$command $word|"* ]]; then command="$command $word"; fi ;; esac
  done
  case $command in
${cases.join('\n')}
  esac
  if [[ $current == -* || $words != -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
_transactions_commands='|${withSubcommands({ words: program.name(), command: program })
    .map(({ words }) => words)
    .join('|')}|'
complete -o default -F _transactions transactions
`;
}
