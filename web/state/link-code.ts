/** The fragment of a link from the platform: a session's code and, after &, the address of a view. */
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

/* The module that reads addresses imports this module, so this module sees each address first. */
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
