interface PackageForm {
  label: string;
  text: string;
}

const COMMAND =
  /^(?<settings>(?:[A-Z_]+=(?:'[^']*'|"[^"]*"|\S+) )*)(?:(?:npx --no-install |node_modules\/\.bin\/node bin\/)transactions(?:\.js)? (?!serve)(?<args>.*)|(?<start>npm start))$/;
const SETTING = /[A-Z_]+=(?:'[^']*'|"[^"]*"|\S+)/g;

const SETTINGS_FILE = '/etc/transactions/transactions.env';

/** A container's settings cannot change, so a new container replaces the old one. See docs/operating.md. */
const RUN = `docker stop transactions; docker rm transactions
docker run --detach --name transactions --read-only --tmpfs /tmp --cap-drop ALL \\
  --volume transactions:/var/lib/transactions --publish 127.0.0.1:3000:3000`;
const OPERATOR_LISTENER = ' --env OPERATOR_HOST=0.0.0.0 --publish 127.0.0.1:3001:3001';

/** These commands prompt the user, or stop cleanly on Ctrl-C, so they need a terminal. */
const ASKS = /^(?:copy|erase|import)\b/;

interface Parts {
  settings: string[];
  args: string | undefined;
}

function onDebian({ settings, args }: Parts): string {
  if (args !== undefined) return [...settings, 'transactions', args].join(' ');
  const restart = 'systemctl restart transactions';
  if (settings.length === 0) return restart;
  const names = settings.map((setting) => setting.slice(0, setting.indexOf('=')));
  // A settings file that sets a variable twice is refused, so the old line is deleted first.
  return `sed -i -E '/^(${names.join('|')})=/d' ${SETTINGS_FILE}
printf '%s\\n' ${settings.join(' ')} >> ${SETTINGS_FILE}
${restart}`;
}

function inContainer({ settings, args }: Parts): string {
  const options = settings.map((setting) => ` --env ${setting}`).join('');
  if (args !== undefined) {
    const terminal = ASKS.test(args) ? ' --interactive --tty' : '';
    return `docker exec${terminal}${options} transactions transactions ${args}`;
  }
  const listener = settings.some((setting) => setting.startsWith('OPERATOR_PORT=')) ? OPERATOR_LISTENER : '';
  return `${RUN}${options === '' ? '' : ` \\\n ${options}${listener}`} transactions`;
}

const FORMS: Readonly<Record<string, (parts: Parts) => string>> = {
  'Debian package, as root': onDebian,
  Container: inContainer,
};

export function packageForms(block: string): PackageForm[] | undefined {
  const lines = block.replaceAll(/ *\\\n */g, ' ').split('\n');
  if (!lines.some((line) => COMMAND.test(line))) return undefined;
  return Object.entries(FORMS).map(([label, write]) => ({
    label,
    text: lines.map((line) => formOf(line, write)).join('\n'),
  }));
}

function formOf(line: string, write: (parts: Parts) => string): string {
  const { settings, args, start } = COMMAND.exec(line)?.groups ?? {};
  if (args === undefined && start === undefined) return line;
  return write({ settings: settings?.match(SETTING) ?? [], args });
}

export const bothForms = (ofClone: string, ofPackages: string): string =>
  `<!-- clone -->${ofClone}<!-- /clone -->\n<!-- package -->${ofPackages}<!-- /package -->\n`;

const BLOCK = /^( *)```sh\n([\s\S]*?)\n *```\n/gm;
const CLONE_BLOCK = /^\*Clone:\*\n\n```[\s\S]*?\n```\n\n/gm;

export const withPackageForms = (markdown: string): string =>
  markdown
    .replaceAll(CLONE_BLOCK, '<!-- clone -->\n$&<!-- /clone -->\n')
    .replaceAll(BLOCK, (whole, indent: string, block: string) => {
      const forms = packageForms(block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
      if (forms === undefined) return whole;
      const blocks = forms.map(({ label, text }) => `*${label}:*\n\n\`\`\`sh\n${text}\n\`\`\`\n`).join('\n');
      const both = bothForms(`\n${whole}`, `\n${blocks.replaceAll(/^(?=.)/gm, indent)}`);
      return both.replaceAll(/^(?=<!--)/gm, indent);
    });
