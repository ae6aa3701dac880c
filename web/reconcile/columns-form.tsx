import { KEY_FIELDS, type KeyField } from '../../client/reconcile/compared-fields.ts';
import { detailOfColumn } from '../../values/detail-name.ts';
import { COLUMN_FIELDS } from '../../values/interface/fields.ts';
import { MAX_TOLERANCE_DAYS } from '../../values/interface/limits.ts';
import { Select } from '../parts/select.tsx';
import { counted, number } from '../text/count.ts';
import { fieldsOf } from './compare.ts';
import { Faults } from './faults.tsx';
import type { ChosenFile } from './file-text.ts';
import type { FileReading, Role } from './guess-columns.ts';
import { roleName, texts } from './texts.ts';
import type { Reconcile } from './use-reconcile.ts';

const SHOWN_ROWS = 5;
const ROLES: readonly Role[] = [
  '',
  'merchantReference',
  'reference',
  'amount',
  'paidOut',
  'direction',
  'currencyCode',
  'paidAt',
  'createdAt',
  'status',
  ...COLUMN_FIELDS,
];

const isDetail = (role: Role): boolean => detailOfColumn(role) !== undefined;

interface ColumnsFormProps {
  reconcile: Reconcile;
  isByPayment: boolean;
}

export function ColumnsForm(props: ColumnsFormProps) {
  const { reconcile } = props;
  const { file, reading, guess, stage, change } = reconcile;
  if (file === undefined || reading === undefined || guess === undefined) return null;
  const set = (changed: Partial<FileReading>) => change({ ...reading, ...changed });
  const problem = problemOf(reading);
  const { roles } = reading;
  const compare = (event: SubmitEvent) => {
    event.preventDefault();
    reconcile.compare(false);
  };
  return (
    <form class="reconcile-columns" aria-label={texts.$columns} onSubmit={compare}>
      <h2>{texts.$columns}</h2>
      {notesOf(file, reconcile).map((note) => (
        <p key={note} class="help">
          {note}
        </p>
      ))}
      <Preview
        file={file}
        roles={roles}
        offered={[...ROLES, ...new Set([...reconcile.details, ...roles.filter(isDetail)])]}
        onRoles={(changed) => set({ roles: changed })}
      />
      <Options {...props} reading={reading} hasTwoOrders={guess.hasTwoOrders} onSet={set} />
      {problem && (
        <p class="days-problem" role="alert">
          {problem}
        </p>
      )}
      {stage.state === 'columns' && stage.faulty && (
        <Faults file={file} roles={roles} {...stage.faulty} onLeaveOut={() => reconcile.compare(true)} />
      )}
      <div class="actions">
        <button type="submit" class="button button-primary" aria-disabled={problem !== undefined}>
          {texts.$compare}
        </button>
      </div>
    </form>
  );
}

interface OptionsProps extends ColumnsFormProps {
  reading: FileReading;
  hasTwoOrders: boolean;
  onSet(changed: Partial<FileReading>): void;
}

function Options(props: OptionsProps) {
  const { reconcile, isByPayment, reading, hasTwoOrders, onSet } = props;
  const { roles } = reading;
  return (
    <div class="reconcile-options">
      <Choice
        id="reconcile-key"
        label={texts.$key}
        value={reading.key}
        choices={[...KEY_FIELDS, ...roles.filter(isDetail)].map((key) => [key, roleName(key)])}
        onChoose={(key) => onSet({ key: key as KeyField })}
      />
      <Choice
        id="reconcile-amounts"
        label={texts.$amounts}
        value={reading.decimalComma ? ',' : '.'}
        choices={[
          [',', texts.$comma],
          ['.', texts.$point],
        ]}
        onChoose={(mark) => onSet({ decimalComma: mark === ',' })}
      />
      {hasTwoOrders && (
        <Choice
          id="reconcile-order"
          label={texts.$dates}
          value={reading.dateOrder}
          choices={[
            ['dmy', texts.$dayFirst],
            ['mdy', texts.$monthFirst],
          ]}
          onChoose={(order) => onSet({ dateOrder: order as FileReading['dateOrder'] })}
        />
      )}
      <Choice
        id="reconcile-currency"
        label={texts.$currency}
        value={reading.currency}
        choices={[['', texts.$allCurrencies], ...reconcile.currencies.map((code) => [code] as const)]}
        onChoose={(currency) => onSet({ currency })}
      />
      {(roles.includes('paidAt') || roles.includes('createdAt')) && <Tolerance {...reconcile} />}
      <Check
        label={texts.$contained}
        isChecked={reading.isContained}
        onChange={(isContained) => onSet({ isContained })}
      />
      {/* A filter by payment finds only paid transactions, so this choice would change nothing. */}
      {!isByPayment && (
        <Check label={texts.$paidOnly} isChecked={reconcile.isPaidOnly} onChange={reconcile.setPaidOnly} />
      )}
    </div>
  );
}

function Tolerance({ toleranceDays, setTolerance }: Reconcile) {
  return (
    <div class="field">
      <label for="reconcile-tolerance">{texts.$tolerance}</label>
      <input
        id="reconcile-tolerance"
        type="number"
        min={0}
        max={MAX_TOLERANCE_DAYS}
        required
        value={toleranceDays}
        aria-describedby="reconcile-tolerance-help"
        onChange={(event: Event) => {
          const field = event.currentTarget as HTMLInputElement;
          if (field.validity.valid) setTolerance(Number(field.value));
        }}
      />
      <span class="help" id="reconcile-tolerance-help">
        {texts.$toleranceHelp}
      </span>
    </div>
  );
}

function problemOf(reading: FileReading): string | undefined {
  const fields = fieldsOf(reading);
  if ('twice' in fields) return texts.$twice(roleName(fields.twice));
  if ('fault' in fields) return fields.fault === 'no_key' ? texts.$noKey : texts.$nothingToCompare;
  return undefined;
}

export function notesOf(file: ChosenFile, { guess, reading }: Reconcile): string[] {
  const keyName = file.names[reading?.roles.indexOf(reading.key) ?? -1] ?? '';
  return [
    guess === undefined || guess.known === 0
      ? texts.$unknown
      : texts.$known(number(guess.known), counted(guess.lines, texts.$line), keyName),
    file.headerLine > 1 && texts.$above(number(file.headerLine)),
    file.headerLine === 0 && texts.$noHeader,
    !['ascii', 'utf-8'].includes(file.encoding) &&
      texts.$decoded(file.encoding === 'windows-1252' ? 'Windows-1252' : 'UTF-16'),
  ].filter((note) => typeof note === 'string');
}

interface PreviewProps {
  file: ChosenFile;
  roles: readonly Role[];
  offered: readonly Role[];
  onRoles(roles: readonly Role[]): void;
}

const Preview = ({ file, roles, offered, onRoles }: PreviewProps) => (
  <ul class="reconcile-preview">
    {file.names.map((name, index) => {
      const id = `reconcile-column-${index}`;
      const cells = file.rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '');
      return (
        <li key={id} class={roles[index] === '' ? 'reconcile-unused' : undefined}>
          <label for={id}>
            <span class="visually-hidden">{texts.$columnIs(name)}</span>
            <span aria-hidden="true">{name}</span>
          </label>
          <Select
            id={id}
            value={roles[index] as Role}
            choices={offered.map((role) => [role, roleName(role)])}
            onChoose={(value) => onRoles(roles.map((role, at) => (at === index ? (value as Role) : role)))}
          />
          <span class="reconcile-cells">
            {[...new Set(cells)].slice(0, SHOWN_ROWS).map((cell) => (
              <code key={cell}>{cell}</code>
            ))}
          </span>
        </li>
      );
    })}
  </ul>
);

const Choice = ({ label, ...select }: Parameters<typeof Select>[0] & { label: string }) => (
  <div class="field">
    <label for={select.id}>{label}</label>
    <Select {...select} />
  </div>
);

interface CheckProps {
  label: string;
  isChecked: boolean;
  onChange(isChecked: boolean): void;
}

const Check = ({ label, isChecked, onChange }: CheckProps) => (
  <label class="reconcile-check">
    <input
      type="checkbox"
      checked={isChecked}
      onChange={(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)}
    />
    {label}
  </label>
);
