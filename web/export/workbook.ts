import { STYLES, xmlText } from './worksheet.ts';
import { ZipFile, zip } from './zip-file.ts';

const SPREADSHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const PIECE_LENGTH = 128 * 1024;

const sheetPath = (index: number) => `xl/worksheets/sheet${index + 1}.xml`;

function surroundingFiles(names: readonly string[]): [path: string, xml: string][] {
  const each = (format: (name: string, index: number) => string) => names.map(format).join('');
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relationships = (all: string) => `<Relationships xmlns="${RELATIONSHIPS}">${all}</Relationships>`;
  const type = (path: string, name: string) =>
    `<Override PartName="/${path}" ContentType="${MAIN}.${name}+xml"/>`;
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type('xl/workbook.xml', 'sheet.main')}${each((_, index) => type(sheetPath(index), 'worksheet'))}${type('xl/styles.xml', 'styles')}</Types>`,
    ],
    ['_rels/.rels', relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${each((name, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships(
        each((_, index) => relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)) +
          relationship(`rId${names.length + 1}`, 'styles', 'styles.xml'),
      ),
    ],
    ['xl/styles.xml', STYLES],
  ];
}

/** Keeps only one piece of a sheet in memory. Write the sheets in the order of `names`. */
export class Workbook {
  readonly #files: ZipFile[] = [];
  #sheets = 0;
  #sheet: ZipFile | undefined;
  #text = '';

  constructor(names: readonly string[]) {
    for (const [path, xml] of surroundingFiles(names)) this.#addFile(path).write(XML + xml);
  }

  beginSheet(): void {
    this.#push();
    this.#sheet = this.#addFile(sheetPath(this.#sheets++));
    this.#text = XML;
  }

  write(xml: string): boolean {
    this.#text += xml;
    if (this.#text.length < PIECE_LENGTH) return false;
    this.#push();
    return true;
  }

  end(): Promise<Blob> {
    this.#push();
    return zip(this.#files, SPREADSHEET_TYPE);
  }

  #addFile(path: string): ZipFile {
    const file = new ZipFile(path);
    this.#files.push(file);
    return file;
  }

  #push(): void {
    this.#sheet?.write(this.#text);
    this.#text = '';
  }
}
