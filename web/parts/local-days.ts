import { h } from 'preact';
import { usePart } from '../state/use-part.ts';
import type { LocalDaysProps } from './local-days-note.ts';

/** The note beside local times. Its code is loaded when the user chooses them. */
export function LocalDays(props: LocalDaysProps) {
  const { loaded } = usePart('local-days', () => import('./local-days-note.ts'));
  if (loaded.state === 'loaded') return h(loaded.value.LocalDaysNote, props);
  return h('p', { class: 'local-days' }, 'The days of the filters are UTC days.');
}
