import { unzipSync } from 'fflate';

interface SheetCell {
  text?: string;
  number?: string;
  style: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

const unescaped = (text: string) =>
  text
    .replaceAll(/&(\w+);/g, (_, name) => ENTITIES[name] ?? `&${name};`)
    .replaceAll(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

function checkXml(xml: string): void {
  const open: string[] = [];
  for (const [, closing, name = '', empty] of xml.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (empty === '/') continue;
    if (closing !== '/') open.push(name);
    else if (open.pop() !== name) throw new Error(`</${name}> closes another element`);
  }
  if (open.length > 0) throw new Error(`${open} is not closed`);
}

export function readSpreadsheet(bytes: Uint8Array) {
  const files = new Map(Object.entries(unzipSync(bytes)).map(([path, part]) => [path, decoder.decode(part)]));
  for (const xml of files.values()) checkXml(xml);
  const workbook = files.get('xl/workbook.xml') ?? '';
  return [...workbook.matchAll(/<sheet name="([^"]*)" sheetId="(\d+)"/g)].map(([, name = '', id]) => {
    const xml = files.get(`xl/worksheets/sheet${id}.xml`) ?? '';
    const rows = [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, row, cells = '']) =>
      readRow(Number(row), cells),
    );
    return { name, xml, rows };
  });
}

function readRow(row: number, xml: string): (SheetCell | undefined)[] {
  const cells: (SheetCell | undefined)[] = [];
  for (const [, column = '', at, style, content = ''] of xml.matchAll(
    /<c r="([A-Z])(\d+)" s="(\d+)"(?: t="inlineStr")?>(.*?)<\/c>/gs,
  )) {
    if (Number(at) !== row) throw new Error(`a cell of row ${at} is in row ${row}`);
    const text = /^<is><t xml:space="preserve">(.*)<\/t><\/is>$/s.exec(content)?.[1];
    const number = /^<v>(.*)<\/v>$/.exec(content)?.[1];
    cells[column.charCodeAt(0) - 65] = {
      ...(text !== undefined && { text: unescaped(text) }),
      ...(number !== undefined && { number }),
      style: Number(style),
    };
  }
  return cells;
}

const [TIME_STYLE, DAY_STYLE] = [3, 7];

export function cellText(cell: SheetCell | undefined): string {
  const { text, number, style } = cell ?? {};
  if (number === undefined) return text ?? '';
  if (style !== TIME_STYLE && style !== DAY_STYLE) return number;
  const time = new Date(Math.round((Number(number) - 25_569) * 86_400_000)).toISOString();
  return style === TIME_STYLE ? time : time.slice(0, 10);
}
