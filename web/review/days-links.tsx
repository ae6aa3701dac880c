import { addressOf, type DaysRoute } from '../state/route.ts';
import { followLink, useRoute } from '../state/use-route.ts';

interface DaysLinksProps {
  links: readonly (readonly [name: string, route: DaysRoute])[];
  /** The route that is shown. */
  shown: DaysRoute;
}

/** Links to days that people often choose. */
export function DaysLinks({ links, shown }: DaysLinksProps) {
  const { zone } = useRoute();
  return (
    <p class="presets">
      {links.map(([name, route]) => (
        <a
          key={name}
          href={addressOf(route, zone)}
          aria-current={addressOf(route, zone) === addressOf(shown, zone) ? 'true' : undefined}
          onClick={followLink}
        >
          {name}
        </a>
      ))}
    </p>
  );
}
