import type { ComponentChildren } from 'preact';
import { toMinorUnits } from '../../client/src/amount.ts';
import { ArchivedNote } from '../parts/archived-note.tsx';
import { Button } from '../parts/button.tsx';
import type { PendingAge } from '../parts/pending-ages.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Nothing } from '../parts/transactions-table.tsx';
import { nowMs } from '../state/clock.ts';
import { useRoute } from '../state/use-route.ts';
import { ageText } from '../text/age.ts';
import { number } from '../text/count.ts';
import { detailName } from '../text/detail-name.ts';
import { dayText } from '../text/month.ts';
import { delayMs, type Findings, type Recorded, type Repeated, recordedTime } from './findings.ts';
import { type DaysFilter, type FoundFindings, spanOf } from './load-findings.ts';
import { MonthState } from './month-state.tsx';
import { Count, Part, Sums } from './part.tsx';
import { countOfAges } from './pending-by-age.tsx';
import { Rows } from './rows.tsx';
import { texts } from './texts.ts';

interface FoundProps {
  filter: DaysFilter;
  findings: FoundFindings;
  ages: readonly PendingAge[] | undefined;
  pending: ComponentChildren;
}

export function Found({ filter, findings, ages, pending }: FoundProps) {
  const { zone } = useRoute();
  const span = spanOf(filter, zone);
  const { isByPayment } = span;
  const time = isByPayment ? 'paidAt' : 'createdAt';
  const { disputes, wonAtByDispute, repeated, comparedWithin, late, added, settled } = findings;
  const recorded = [
    {
      name: texts.$recorded,
      cell: (one: Recorded) => <Timestamp timestamp={recordedTime(one, span)} />,
    },
    { name: texts.$delay, cell: (one: Recorded) => ageText(delayMs(one, span)) },
  ];
  const settledAt = [
    {
      name: texts.$recorded,
      cell: ({ statusRecordedAt }: Recorded) => <Timestamp timestamp={statusRecordedAt} />,
    },
  ];
  const isOver = nowMs() >= span.beforeMs;
  const after = isOver ? added.length + settled.length : 0;
  return (
    <>
      <MonthState filter={filter} pending={findings.pending} isOver={isOver} />
      <ArchivedNote archivedBefore={findings.archivedBefore} />
      <Overview
        parts={[
          ['pending', texts.$pendingByAge, countOfAges(ages)],
          ...(isOver ? [['after', texts.$afterEnd(dayText(filter.to)), after] as const] : []),
          ['repeated', texts.$repeated, repeated.length],
          ['disputes', texts.$disputes, disputes.length],
          ['late', texts.$late, late.length],
        ]}
      />
      {pending}
      {after > 0 && (
        <Part
          name="after"
          title={texts.$afterEnd(dayText(filter.to))}
          count={after}
          help={texts.$afterEndHelp}
        >
          {[[texts.$added, added, recorded] as const, [texts.$settled, settled, settledAt] as const].map(
            ([title, rows, columns]) =>
              rows.length > 0 && (
                <section key={title} class="kind" aria-label={title}>
                  <h3>{title}</h3>
                  <Sums title={title} rows={rows} />
                  <Rows caption={title} rows={rows} time={time} columns={columns} />
                </section>
              ),
          )}
        </Part>
      )}
      {(repeated.length > 0 || comparedWithin !== undefined) && (
        <RepeatedCharges repeated={repeated} comparedWithin={comparedWithin} />
      )}
      {disputes.length > 0 && (
        <Part name="disputes" title={texts.$disputes} count={disputes.length} help="" summed={disputes}>
          <Rows
            caption={texts.$disputes}
            rows={disputes}
            time="createdAt"
            timeName={texts.$disputedOn}
            columns={[
              { name: detailName('reason'), cell: reasonOf },
              {
                name: texts.$outcome,
                cell: (one) => <Outcome dispute={one} wonAt={wonAtByDispute.get(one.reference)} />,
              },
            ]}
          />
        </Part>
      )}
      {late.length > 0 && (
        <Part
          name="late"
          title={texts.$late}
          count={late.length}
          help={isByPayment ? texts.$latePaidHelp : texts.$lateHelp}
          summed={late}
        >
          <Rows caption={texts.$late} rows={late} time={time} columns={recorded} />
        </Part>
      )}
    </>
  );
}

const reasonOf = ({ details = {} }: Recorded) =>
  details['reason'] ?? details['failureReason'] ?? <Nothing meaning={texts.$noReason} />;

function Outcome({ dispute, wonAt }: { dispute: Recorded; wonAt: string | undefined }) {
  if (wonAt === undefined && toMinorUnits(dispute.amount) < 0n) return <Nothing meaning={texts.$noOutcome} />;
  return (
    <>
      {texts.$won} {wonAt && <Timestamp timestamp={wonAt} />}
    </>
  );
}

interface OverviewProps {
  parts: readonly (readonly [name: string, title: string, count: number | undefined])[];
}

/** Buttons move the focus to the findings. Links cannot do this, because the fragment is the route. */
const Overview = ({ parts }: OverviewProps) => (
  <ul class="review-overview">
    {parts.map(([name, title, count]) => (
      <li key={name}>
        {count === 0 ? (
          title
        ) : (
          <Button class="link" onClick={() => document.getElementById(`review-${name}`)?.focus()}>
            {title}
          </Button>
        )}{' '}
        <Count count={count} />
      </li>
    ))}
  </ul>
);

function RepeatedCharges({ repeated, comparedWithin }: Pick<Findings, 'repeated' | 'comparedWithin'>) {
  const groupOf = new Map(
    repeated.flatMap((group) => group.payments.map((one) => [one.reference, group] as const)),
  );
  const after = (one: Recorded) => {
    const { payments, refunded } = groupOf.get(one.reference) as Repeated;
    const [first] = payments as [Recorded];
    return (
      <>
        {one !== first && ageText(Date.parse(one.paidAt ?? '') - Date.parse(first.paidAt ?? ''))}
        {refunded.has(one.reference) && <p class="help">{texts.$refunded}</p>}
      </>
    );
  };
  return (
    <Part
      name="repeated"
      title={texts.$repeated}
      count={repeated.length}
      help={[
        texts.$repeatedHelp,
        ...(comparedWithin === undefined ? [] : [texts.$notAllCompared(number(comparedWithin))]),
      ].join(' ')}
      summed={repeated.flatMap(({ payments }) => payments.slice(1))}
    >
      <Rows
        caption={texts.$repeated}
        rows={repeated.flatMap(({ payments }) => payments)}
        time="paidAt"
        columns={[{ name: texts.$after, cell: after }]}
      />
    </Part>
  );
}
