import { useEffect, useRef, useState } from 'preact/hooks';
import { monthAt } from '../../values/calendar.ts';
import { DaysBar } from '../parts/days-chips.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { Running } from '../parts/running.tsx';
import { announce } from '../state/announce.ts';
import { BY_PAYMENT, type DaysRoute, describeFilter, type Filter, isByPayment } from '../state/route.ts';
import { useHeading } from '../state/title.ts';
import { useRoute } from '../state/use-route.ts';
import { dayIn } from '../text/time.ts';
import { ColumnsForm, notesOf } from './columns-form.tsx';
import { differencesText, Result } from './result.tsx';
import { texts } from './texts.ts';
import { type Reconcile, useReconcile } from './use-reconcile.ts';

interface ReconcileScreenProps {
  apiKey: string;
  account: string;
  route: DaysRoute;
}

export function ReconcileScreen({ apiKey, account, route }: ReconcileScreenProps) {
  const { zone } = useRoute();
  const filter = filterOf(route.filter, zone);
  const { from, to, by, ...equalities } = filter;
  const reconcile = useReconcile(apiKey, { filter, zone });
  useHeading(texts.$title);
  const { stage, file, reading } = reconcile;
  const spoken =
    stage.state === 'result'
      ? differencesText(stage.compared.differences.length)
      : stage.state === 'columns' && file && notesOf(file, reconcile)[0];
  useEffect(() => announce(spoken || ''), [spoken]);
  return (
    <main id="main" class="days-screen">
      <div class="heading">
        <h1 tabIndex={-1}>{texts.$title}</h1>
        <p class="heading-filter">{describeFilter(equalities)}</p>
      </div>
      <p class="days-intro">{texts.$intro}</p>
      <DaysBar view="reconcile" filter={filter} />
      <Drop choose={reconcile.choose} />
      {stage.state === 'choose' && stage.problem && (
        <p class="days-problem" role="alert">
          {stage.problem}
        </p>
      )}
      {stage.state === 'loading' && (
        <Running
          label={texts.$comparing}
          text={stage.text}
          value={stage.value}
          max={stage.max}
          onCancel={reconcile.cancel}
        />
      )}
      {stage.state === 'failed' && (
        <FailurePanel failure={stage.failure} retry={undefined} onRetry={reconcile.retry} />
      )}
      {stage.state === 'columns' && (
        <ColumnsForm key={file?.name} reconcile={reconcile} isByPayment={isByPayment(filter)} />
      )}
      {stage.state === 'result' && file && reading && (
        <Result
          account={account}
          file={file}
          roles={reading.roles}
          filter={filter}
          compared={stage.compared}
          faulty={stage.faulty}
          onBack={reconcile.back}
        />
      )}
    </main>
  );
}

function filterOf(filter: Filter, zone: string): Filter {
  return filter.from || filter.to ? filter : { ...filter, ...monthAt(dayIn(zone), -1), by: BY_PAYMENT };
}

function Drop({ choose }: Pick<Reconcile, 'choose'>) {
  const [name, setName] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    const [chosen] = files ?? [];
    if (chosen === undefined) return;
    setName(chosen.name);
    choose(chosen);
  };
  return (
    <label
      class={isOver ? 'drop drop-over' : 'drop'}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <input
        ref={input}
        class="drop-input"
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        onChange={() => {
          take(input.current?.files);
          // Lets the user choose the same file again after correcting it.
          if (input.current) input.current.value = '';
        }}
      />
      <Icon name="download" />
      <span class="drop-name">{name ?? texts.$choose}</span>
      <span class="drop-help">{name === undefined ? texts.$drop : texts.$chooseOther}</span>
    </label>
  );
}
