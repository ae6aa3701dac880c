import { useEffect, useRef } from 'preact/hooks';
import { MAX_RESTARTS } from '../../client/src/export.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { FailureText } from '../parts/failure-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { TotalsTable } from '../parts/totals-table.tsx';
import { announce } from '../state/announce.ts';
import { type FileOrder, isExport } from '../state/file-order.ts';
import { addressOf, listRoute } from '../state/route.ts';
import { type Location, useRoute } from '../state/use-route.ts';
import { counted, number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { dayText } from '../text/month.ts';
import { timeParts } from '../text/time.ts';
import { describeOrder } from './describe-order.ts';
import { type Exporter, type SavedFileProps, type Saving, useExport } from './use-export.ts';

type Of<State extends Saving['state']> = Extract<Saving, { state: State }>;

export function ExportPanel(props: SavedFileProps) {
  const exporter = useExport(props);
  const location = useRoute();
  const { current } = exporter;
  const seen = useRef<Saving>(undefined);
  if (current.state === 'none') return null;
  const { order } = current;
  if (!isOfList(order, props.account, location)) {
    const isNew = current.state === 'running' || current !== seen.current;
    return isNew ? <Brief current={current} exporter={exporter} /> : null;
  }
  seen.current = current;
  return (
    <section class={`export export-${current.state}`} aria-label={kindOf(order)}>
      {current.state === 'running' && <Running current={current} exporter={exporter} />}
      {current.state === 'saved' && <Saved current={current} exporter={exporter} />}
      {current.state === 'stopped' && <Stopped current={current} exporter={exporter} />}
    </section>
  );
}

function isOfList(order: FileOrder, account: string, { route, zone, linkedAccount = account }: Location) {
  if (route.view !== 'list' || linkedAccount !== account) return false;
  return listOf(order) === listOf({ filter: route.filter, zone });
}

const listOf = ({ filter, zone }: Omit<FileOrder, 'format'>) => addressOf(listRoute(filter), zone);

function Brief({ current, exporter }: { current: Exclude<Saving, { state: 'none' }>; exporter: Exporter }) {
  const { state, order } = current;
  const text = briefText(current);
  useEffect(() => {
    if (state === 'saved') announce(text);
  }, [state, text]);
  return (
    <section class="export export-brief" aria-label={kindOf(order)}>
      <p class="export-title" role={state === 'stopped' ? 'alert' : undefined}>
        {state === 'saved' && <Icon name="check" />}
        {state === 'stopped' && current.failure !== undefined && <Icon name="warning" />}
        {text}
      </p>
      <div class="actions">
        {state === 'running' ? (
          link(texts.$cancel, exporter.cancel)
        ) : (
          <>
            <a href={listOf(order)}>{texts.$showDetails}</a>
            {link(texts.$close, exporter.dismiss)}
          </>
        )}
      </div>
    </section>
  );
}

function briefText(current: Exclude<Saving, { state: 'none' }>): string {
  if (current.state === 'saved') return texts.$savedAs(current.name);
  if (current.state === 'stopped') return stoppedText(current);
  const { order, rows, expectedRows, isWaiting } = current;
  const progress = isWaiting ? texts.$waitingForService : progressText(rows, expectedRows);
  return texts.$progress(loadingText(order), progress);
}

function Running({ current, exporter }: { current: Of<'running'>; exporter: Exporter }) {
  const { order, rows, expectedRows, isWaiting, restarts } = current;
  return (
    <>
      <div class="export-text">
        <p class="export-title" id="export-title">
          {loadingText(order)}
        </p>
        <p class="export-count">
          {describeOrder(order)}: {progressText(rows, expectedRows)}
        </p>
        <progress
          aria-labelledby="export-title"
          // Without a value, the browser animates the progress bar.
          {...(expectedRows !== null && { value: rows, max: Math.max(1, expectedRows) })}
        />
        <p class="export-waiting" aria-live="polite">
          {restarts > 0 ? texts.$startedAgain(restarts, MAX_RESTARTS) : isWaiting && texts.$waitingForService}
        </p>
      </div>
      <div class="actions">{button(texts.$cancel, exporter.cancel)}</div>
    </>
  );
}

function Saved({ current, exporter }: { current: Of<'saved'>; exporter: Exporter }) {
  const { order, name, manifest, rows, totals } = current;
  const sha256 = manifest.sha256 as string;
  return (
    <>
      <div class="export-text">
        <div role="status">
          <p class="export-title">
            <Icon name="check" />
            {texts.$saved}
          </p>
          <p class="export-count">
            {texts.$inFile(
              transactions(rows),
              <code>{name}</code>,
              timeParts(manifest.startedAt, order.zone).minute,
            )}
          </p>
        </div>
        {notesOf(current).map((note) => (
          <p key={note} class="export-note">
            {note}
          </p>
        ))}
        <p class="export-note">
          {/* Only the export itself has this checksum. A file made from the export has other bytes. */}
          {isExport(order) ? texts.$checksum : texts.$checksumOfExport}{' '}
          <code title={sha256}>{`${sha256.slice(0, 8)}\u2026${sha256.slice(-8)}`}</code>
          <CopyButton
            text={sha256}
            name={isExport(order) ? texts.$theChecksum : texts.$theChecksumOfExport}
          />
        </p>
        <div class="actions">{button(texts.$close, exporter.dismiss)}</div>
      </div>
      {totals.length > 0 && <TotalsTable title={texts.$inTheFile} rows={totals} />}
    </>
  );
}

const notesOf = ({ order, manifest: { archivedBefore } }: Of<'saved'>): string[] => [
  `${describeOrder(order)}.`,
  ...(archivedBefore === undefined ? [] : [texts.$archivedBefore(dayText(archivedBefore))]),
  ...(isExport(order) ? [texts.$sameBytes] : [texts.$sameRows]),
  ...(order.format === 'xlsx' ? [texts.$totalsSheetHas] : []),
  ...(order.extra?.left ? [texts.$leftIs] : []),
];

function Stopped({ current, exporter }: { current: Of<'stopped'>; exporter: Exporter }) {
  const { order, failure, next, rows, expectedRows } = current;
  return (
    <>
      <div class="export-text" role="alert">
        <p class="export-title">
          {failure !== undefined && <Icon name="warning" />}
          {stoppedText(current)}
        </p>
        <p class="export-count">
          {describeOrder(order)}: {progressText(rows, expectedRows)}
        </p>
        {failure && <FailureText failure={failure} />}
      </div>
      <div class="actions">
        {next === 'csv'
          ? button(texts.$saveAs('CSV'), () => exporter.start({ ...order, format: 'csv' }), true)
          : button(texts.$startAgain, () => exporter.start(order), true)}
        {button(texts.$close, exporter.dismiss)}
      </div>
    </>
  );
}

const stoppedText = ({ failure }: Of<'stopped'>) =>
  failure === undefined ? texts.$cancelled : texts.$notSaved(failure.title);

const link = (label: string, onClick: () => void) => (
  <Button class="link" onClick={onClick}>
    {label}
  </Button>
);

const button = (label: string, onClick: () => void, isPrimary = false) => (
  <Button isPrimary={isPrimary} onClick={onClick}>
    {label}
  </Button>
);

const transactions = (count: number) => counted(count, texts.$transaction);

const progressText = (rows: number, expectedRows: number | null) =>
  expectedRows === null
    ? texts.$soFarOf(transactions(rows))
    : texts.$partOf(number(rows), transactions(expectedRows));

const kindOf = ({ format }: FileOrder) => (format === 'csv' ? texts.$csvFile : texts.$excelFile);

const loadingText = ({ format }: FileOrder) => (format === 'csv' ? texts.$loadingCsv : texts.$loadingExcel);
