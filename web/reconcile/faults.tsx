import { Button } from '../parts/button.tsx';
import { counted, number } from '../text/count.ts';
import type { Faulty, FaultyLine } from './compare.ts';
import type { ChosenFile } from './file-text.ts';
import type { Role } from './guess-columns.ts';
import { texts } from './texts.ts';

const SHOWN = 20;

interface FaultListProps extends Faulty {
  file: ChosenFile;
  roles: readonly Role[];
}

export const Faults = ({ onLeaveOut, ...list }: FaultListProps & { onLeaveOut(): void }) => (
  <section class="reconcile-faults" role="alert">
    <h3>{texts.$unreadable(counted(list.faultCount, texts.$line))}</h3>
    <FaultList {...list} />
    <p>{texts.$unreadableHelp}</p>
    <Button onClick={onLeaveOut}>{texts.$leaveOut(counted(list.faultCount, texts.$line))}</Button>
  </section>
);

export const LeftOut = (list: FaultListProps) => (
  <section class="days-problem" aria-labelledby="reconcile-left-out">
    <p id="reconcile-left-out">{texts.$leftOut(counted(list.faultCount, texts.$line))}</p>
    <FaultList {...list} />
  </section>
);

function FaultList({ file, roles, faults, faultCount }: FaultListProps) {
  const shown = faults.slice(0, SHOWN);
  const lines = new Set(shown.map(({ line }) => line));
  return (
    <ul class="reconcile-fault-list">
      {shown.map((faulty, index) => (
        <li key={index}>{textOf(faulty, file, roles)}</li>
      ))}
      {faultCount > lines.size && <li>{texts.$more(number(faultCount - lines.size))}</li>}
    </ul>
  );
}

function textOf({ line, fault }: FaultyLine, file: ChosenFile, roles: readonly Role[]): string {
  const place = number(line);
  if ('opposedLine' in fault) return texts.$faultOfLine(place, texts.$faults.opposed);
  if ('source' in fault)
    return texts.$faultOfLine(
      place,
      fault.source.ofCsv === undefined ? fault.source.fault : texts.$faults[fault.source.ofCsv.kind],
    );
  const { field, text, fault: kind } = fault.value;
  const isOut = field === 'amount' && text.startsWith('-') && roles.includes('paidOut');
  const column = roles.indexOf(isOut ? 'paidOut' : field);
  return texts.$faultOfCell(place, file.names[column] ?? field, text, texts.$faults[kind]);
}
