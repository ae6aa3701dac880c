const FORM = /^#session=([^&]*)(?:&(.*))?$/s;

export interface LinkCode {
  code: string;
  isOfRoute: boolean;
}

let receive: ((link: LinkCode) => void) | undefined;
let taken = take();

function take(): LinkCode | undefined {
  const [, code, route = ''] = FORM.exec(location.hash) ?? [];
  if (code === undefined) return undefined;
  history.replaceState({}, '', `${location.pathname}${location.search}${route && `#${route}`}`);
  return { code, isOfRoute: route !== '' };
}

/* use-route.ts imports this module first. So this listener removes the code before the route is read. */
addEventListener('popstate', () => {
  taken = take();
  pass();
});

function pass(): void {
  if (taken === undefined || receive === undefined) return;
  receive(taken);
  taken = undefined;
}

export function onLinkCode(take: (link: LinkCode) => void): void {
  receive = take;
  pass();
}
