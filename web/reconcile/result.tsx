import { useEffect, useRef } from 'preact/hooks';
import { type ComparableField, comparedValue } from '../../client/reconcile/compared-fields.ts';
import { csvHead, csvLine, valueOn } from '../../client/reconcile/differences-csv.ts';
import { type Difference, missingThere } from '../../client/reconcile/find-differences.ts';
import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import { saveFile } from '../export/save-file.ts';
import { Amount } from '../parts/amount.tsx';
import { ArchivedNote } from '../parts/archived-note.tsx';
import { Button } from '../parts/button.tsx';
import { type CardColumn, CardTable } from '../parts/card-table.tsx';
import { Icon } from '../parts/icon.tsx';
import { useMore } from '../parts/more.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Nothing } from '../parts/transactions-table.tsx';
import { announce } from '../state/announce.ts';
import { type Filter, formatRoute } from '../state/route.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { groupedAmount } from '../text/amount.ts';
import { counted, number } from '../text/count.ts';
import { dayText } from '../text/month.ts';
import { timeParts } from '../text/time.ts';
import type { Compared, Faulty } from './compare.ts';
import { LeftOut } from './faults.tsx';
import type { ChosenFile } from './file-text.ts';
import type { Role } from './guess-columns.ts';
import { SumsTable } from './sums-table.tsx';
import { roleName, texts } from './texts.ts';

interface ResultProps {
  account: string;
  file: ChosenFile;
  roles: readonly Role[];
  filter: Filter;
  compared: Compared;
  faulty: Faulty;
  onBack(): void;
}

export const differencesText = (count: number): string =>
  count === 0 ? texts.$noDifferences : counted(count, texts.$differences);

const KINDS = ['differing', 'missing_here', 'missing_there'] as const;
const firstRows = () => (matchMedia('(max-width: 48rem)').matches ? 10 : ROWS);
const ROWS = 100;
const MAX_NAMED = 20;
/** In a language with a decimal comma, a spreadsheet splits lines at semicolons. */
const SEPARATOR = groupedAmount('0.50').includes(',') ? ';' : ',';

export function Result({ account, file, roles, filter, compared, faulty, onBack }: ResultProps) {
  const { sums, differences, late, archivedLines, archivedBefore } = compared;
  const lateText = texts.$late(counted(late.length, texts.$payment));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [compared]);
  const total = (side: 'file' | 'account') => sums.reduce((all, row) => all + row[side].count, 0);
  const save = () => {
    const { from, to } = filter;
    const name = [account, 'differences', from, to]
      .filter(Boolean)
      .join('_')
      .replaceAll(/[^A-Za-z0-9._-]/g, '-');
    const lines = [
      csvHead(compared.fields, SEPARATOR),
      ...differences.map((difference) => csvLine(difference, compared.fields, SEPARATOR)),
      '',
    ];
    // With the byte order mark, spreadsheets read the file as UTF-8.
    const text = `\ufeff${lines.join('\r\n')}`;
    saveFile(`${name}.csv`, new Blob([text], { type: 'text/csv;charset=utf-8' }));
    announce(texts.$saved(`${name}.csv`));
  };
  return (
    <section class="reconcile-result" aria-labelledby="reconcile-result">
      <div class="reconcile-head">
        <h2 id="reconcile-result" ref={heading} tabIndex={-1}>
          {differencesText(differences.length)}
        </h2>
        <div class="actions">
          {differences.length > 0 && (
            <Button isPrimary onClick={save}>
              <Icon name="download" />
              {texts.$save}
            </Button>
          )}
          <Button onClick={onBack}>{texts.$changeColumns}</Button>
        </div>
        <p class="help">
          {texts.$compared(
            file.name,
            counted(total('file'), texts.$line),
            counted(total('account'), texts.$transaction),
          )}
          {' \u00b7 '}
          {verdictOf(file, roles, compared)}
        </p>
      </div>
      {faulty.faultCount > 0 && <LeftOut file={file} roles={roles} {...faulty} />}
      <SumsTable sums={sums} hasAmounts={compared.fields.fields.includes('amount')} />
      {KINDS.map((kind) => (
        <Differences
          key={kind}
          kind={kind}
          all={differences.filter((difference) => difference.kind === kind).sort(byLine)}
          compared={compared}
        />
      ))}
      {archivedBefore === undefined || archivedLines.length === 0 ? (
        <ArchivedNote archivedBefore={archivedBefore} />
      ) : (
        <p class="help" role="alert">
          {texts.$archivedLines(
            counted(archivedLines.length, texts.$line),
            archivedLines.slice(0, MAX_NAMED).join(', ') +
              (archivedLines.length > MAX_NAMED ? ', \u2026' : ''),
            dayText(archivedBefore),
          )}
        </p>
      )}
      {late.length > 0 && (
        <details class="reconcile-late">
          <summary>{lateText}</summary>
          <p class="help">{texts.$lateHelp}</p>
          <Rows caption={lateText} rows={late.map(missingThere)} compared={compared} />
        </details>
      )}
    </section>
  );
}

function verdictOf(file: ChosenFile, roles: readonly Role[], { fields: { key, fields } }: Compared): string {
  const left = file.names.filter((_, index) => roles[index] === '');
  return [
    texts.$comparedFields([key, ...fields].map(roleName).join(', ')),
    ...(left.length === 0 ? [] : [texts.$notCompared(left.join(', '))]),
  ].join(' ');
}

const byLine = (left: Difference, right: Difference) => (left.line ?? 0) - (right.line ?? 0);

interface DifferencesProps {
  kind: (typeof KINDS)[number];
  all: readonly Difference[];
  compared: Compared;
}

function Differences({ kind, all, compared }: DifferencesProps) {
  if (all.length === 0) return null;
  return (
    <section class="kind" aria-labelledby={`reconcile-${kind}`}>
      <h3 id={`reconcile-${kind}`}>
        {texts.$classes[kind]} <span class="count">{number(all.length)}</span>
      </h3>
      <Rows caption={texts.$classes[kind]} rows={all} compared={compared} />
    </section>
  );
}

interface RowsProps {
  caption: string;
  rows: readonly Difference[];
  compared: Compared;
}

function Rows({ caption, rows, compared }: RowsProps) {
  const [shown, more] = useMore(rows, firstRows(), ROWS);
  const others = OTHERS.filter(({ cell }) => rows.some((row) => cell(row) !== null));
  const hasLines = rows.some(({ line }) => line !== null);
  return (
    <>
      <CardTable
        class="plain-table differences"
        caption={caption}
        columns={[
          ...(hasLines ? [LINE] : []),
          {
            class: 'column-key',
            name: roleName(compared.fields.key),
            isRowHeader: true,
            cell: (one) => (
              <>
                <Key one={one} field={compared.fields.key} />
                {isSecond(one, compared) && <p class="help">{texts.$second}</p>}
              </>
            ),
          },
          ...(rows[0]?.kind === 'differing' ? [WHAT] : others),
        ]}
        rows={shown}
        keyOf={(one) => rows.indexOf(one)}
      />
      {more}
    </>
  );
}

const LINE: CardColumn<Difference> = {
  class: 'column-line',
  name: texts.$ofLine,
  cell: ({ line }) => line,
};

const WHAT: CardColumn<Difference> = {
  class: 'column-what',
  name: texts.$what,
  // The cell has a single element, because narrow screens show the column's name next to it.
  cell: (one) => (
    <div>
      {one.fields.map((field) => (
        <Differing key={field} one={one} field={field} />
      ))}
    </div>
  ),
};

const OTHERS: readonly CardColumn<Difference>[] = [
  {
    class: 'column-amount',
    name: roleName('amount'),
    cell: ({ file, account }) => {
      const amount = valueOn(file, account, 'amount');
      return amount === null ? null : (
        <Money amount={amount} currency={valueOn(file, account, 'currencyCode')} />
      );
    },
  },
  {
    class: 'column-day',
    name: texts.$day,
    cell: ({ file, account }) => {
      const time = file === null ? (account?.paidAt ?? account?.createdAt) : (file.paidAt ?? file.createdAt);
      return time ? <Day time={time} /> : null;
    },
  },
  {
    class: 'column-status',
    name: roleName('status'),
    cell: ({ file, account }) => {
      const status = valueOn(file, account, 'status');
      return status === null ? null : <StatusBadge status={status} />;
    },
  },
];

const Money = ({ amount, currency }: { amount: string; currency: string | null }) =>
  currency === null ? (
    <span class="amount">{groupedAmount(amount)}</span>
  ) : (
    <Amount amount={amount} currencyCode={currency} />
  );

function Day({ time }: { time: string }) {
  const { zone } = useRoute();
  if (!time.includes('T')) return <>{dayText(time)}</>;
  const { day, time: clock } = timeParts(time, zone);
  return (
    <>
      {dayText(day)} {clock}
    </>
  );
}

const isSecond = ({ kind, file }: Difference, { fields: { key }, keysOfSecondLines }: Compared): boolean =>
  kind === 'missing_here' && keysOfSecondLines.has(file[key] ?? '');

function Key({ one: { file, account }, field }: { one: Difference; field: ComparableField }) {
  const text = valueOn(file, account, field);
  const { reference } = account ?? {};
  const shown = text ?? (reference as string | undefined);
  if (shown === undefined) return <Nothing meaning={texts.$noReference} />;
  if (reference === undefined) return <span class="reconcile-purpose">{shown}</span>;
  return (
    <a href={formatRoute({ view: 'transaction', reference })} onClick={followLink}>
      {shown}
    </a>
  );
}

function Differing({ one: { file, account }, field }: { one: Difference; field: ComparableField }) {
  const theirs = file?.[field] ?? null;
  const ours = account && comparedValue(account, field);
  const { currencyCode: ourCurrency = null } = account ?? {};
  const theirCurrency = file?.currencyCode ?? ourCurrency;
  const show = (value: string | null, currency: string | null) =>
    value === null ? (
      <Nothing meaning={texts.$none} />
    ) : field === 'amount' ? (
      <Money amount={value} currency={currency} />
    ) : field === 'paidAt' || field === 'createdAt' ? (
      <Day time={value} />
    ) : (
      value
    );
  return (
    <p class="reconcile-differing">
      <b>{roleName(field)}</b>
      <span>
        {texts.$inFile} {show(theirs, theirCurrency)}
      </span>
      <span>
        {texts.$inAccount} {show(ours, ourCurrency)}
      </span>
      {field === 'amount' && theirs !== null && ours !== null && theirCurrency === ourCurrency && (
        <span>
          {texts.$difference}{' '}
          <Money amount={fromMinorUnits(toMinorUnits(theirs) - toMinorUnits(ours))} currency={ourCurrency} />
        </span>
      )}
    </p>
  );
}
