const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  clock: 'M8 4.5V8l2.5 1.5M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  dot: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  copy: 'M6 6h7.5v7.5H6zM3.5 10h-1V2.5H10v1',
  download: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M3 13.5h10',
  down: 'M4.5 6.5L8 10l3.5-3.5',
  left: 'M10 3.5L5.5 8l4.5 4.5',
  right: 'M6 3.5L10.5 8 6 12.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2',
  offline: 'M2 2l12 12M2 6a8 8 0 0 1 12 0M5 10a4 4 0 0 1 6 0',
  empty: 'M2.5 9.5l2-6h7l2 6v4h-11zM2.5 9.5h3.5a2 2 0 0 0 4 0h3.5',
  key: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2.5 11.4v2.1h2.1v-1.6h1.6v-1.6l1-.9A3.5 3.5 0 0 0 10.5 9z',
} as const;

export type IconName = keyof typeof PATHS;

/** Screen readers skip the icon, because the text next to it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
