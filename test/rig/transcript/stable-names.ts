import { userInfo } from 'node:os';

const HOUR_MS = 3_600_000;
const ID = /\b(au|chg|key|ses|tk_live|tk_operator|ts_code|ts_live|we|whpk|whsec)_[\w+/-]{16,}=?/g;
const SHA_256 = /\b[0-9a-f]{64}\b/g;
const TIME = /\b(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{3})?)?Z)?(?![\d-])/g;
const UNSTABLE: readonly (readonly [RegExp, string])[] = [
  [/\b(tk_(?:live|operator)_)\w{6}(\.\.\.|")/g, '$1******$2'],
  [new RegExp(`(\\bas |"actor":")${RegExp.escape(userInfo().username)}\\b`, 'g'), '$1<user>'],
  [/\d+ parts of the schema, \d+ indexes/g, '<n> parts of the schema, <n> indexes'],
  [/\brequest [\w-]{16,}/g, 'request <id>'],
  [/\b\d+(\.\d+)? ms\b/g, '<n> ms'],
  [/\b(in|for) \d+(\.\d+)? s\./g, '$1 <n> s.'],
  [/[\d,]+ (bytes, readable)/g, '<n> $1'],
  [/("(?:\w*(?:seconds|Ms)|copying|schemaObjects|indexes)":)[\d.]+/g, '$1<n>'],
  [/(is not JSON: ).*/g, '$1<reason>'],
  [/(Can't connect to the service at \S+: ).*?(ECONNREFUSED).*?\. /g, '$1<reason>$2. '],
];

/**
 * A transcript must have the same text in each run. So `hide` replaces printed ids by names such as
 * `<key_1>`, and times by `<now+90d>`. Before a command runs, `show` puts the values back into it.
 */
export class StableNames {
  readonly #values = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #startMs = Date.now();
  readonly #isLiteral: (value: string) => boolean;

  constructor(isLiteral: (value: string) => boolean) {
    this.#isLiteral = isLiteral;
  }

  add(name: string, value: string): void {
    this.#values.set(value, name);
  }

  hide(printed: string): string {
    let text = printed;
    for (const [value, name] of [...this.#values].reverse())
      text = replaceCells(text, new RegExp(RegExp.escape(value), 'g'), () => name);
    text = replaceCells(text, ID, (value, prefix = '') => this.#nameOf(value, prefix));
    text = replaceCells(text, SHA_256, (value) => this.#nameOf(value, 'sha256'));
    text = replaceCells(text, TIME, (value, day = '', time) => this.#timeOf(value, day, time));
    for (const [pattern, name] of UNSTABLE) text = text.replaceAll(pattern, name);
    return text;
  }

  show(command: string): string {
    let text = command.replaceAll(/<now([+-]\d+)h>/g, (_, hours: string) =>
      new Date(this.#startMs + Number(hours) * HOUR_MS).toISOString(),
    );
    text = text.replaceAll('<today>', new Date(this.#startMs).toISOString().slice(0, 10));
    for (const [value, name] of this.#values) text = text.replaceAll(name, value);
    return text;
  }

  #nameOf(value: string, prefix: string): string {
    if (this.#isLiteral(value)) return value;
    const known = this.#values.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const name = `<${prefix}_${count}>`;
    this.#values.set(value, name);
    return name;
  }

  #timeOf(value: string, day: string, time?: string): string {
    if (this.#isLiteral(day)) return value;
    const ms = Date.parse(time === undefined ? day : `${day}${time}`);
    const today = Math.floor(this.#startMs / (24 * HOUR_MS));
    const days = Math.floor(ms / (24 * HOUR_MS)) - today;
    if (days === -1 && time === undefined) return '<yesterday>';
    if (days < 0) return value;
    if (time === undefined) return days <= 1 ? '<today>' : `<today+${days}d>`;
    const hours = Math.round((ms - this.#startMs) / HOUR_MS);
    if (hours < 0) return value;
    if (hours === 0) return '<now>';
    return hours % 24 === 0 ? `<now+${hours / 24}d>` : `<now+${hours}h>`;
  }
}

function replaceCells(
  text: string,
  pattern: RegExp,
  nameOf: (value: string, first?: string, second?: string) => string,
): string {
  return text.replaceAll(pattern, (value: string, ...found: (string | undefined)[]) => {
    const at = found.findIndex((one) => typeof one === 'number');
    const name = nameOf(value, ...found.slice(0, at));
    const end = Number(found[at]) + value.length;
    return text.startsWith('  ', end) ? name.padEnd(value.length) : name;
  });
}
