/** The table of all checks in README.md. @param {readonly import('../../index.js').CheckInfo[]} checks */
export function checkTable(checks) {
  const rows = checks.map(({ id, requirement, level, rule, section, needs }) => {
    const data = needs === undefined ? '' : needs === 'operator' ? 'operator key' : 'second key';
    return `| \`${id}\` | ${requirement} | ${cell(rule)} | ${level} | [${section}](../SPEC.md#${section}) | ${data} |`;
  });
  return ['| id | requirement | rule | level | section | needs |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|');

const BEGIN = '<!-- checks -->';
const END = '<!-- end of checks -->';

/** README.md with the table of these checks. @param {string} readme @param {readonly import('../../index.js').CheckInfo[]} checks */
export function withTable(readme, checks) {
  const [before, rest] = readme.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n\n${checkTable(checks)}\n\n${END}${after}`;
}
