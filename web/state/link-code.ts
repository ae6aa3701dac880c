/** The fragment of a link of the platform: the code of a session and, after &, the address of a view. */
const FORM = /^#session=([^&]*)(?:&(.*))?$/s;

/** A code, and whether its link also says what to show. */
export interface LinkCode {
  code: string;
  isOfRoute: boolean;
}

let receive: ((link: LinkCode) => void) | undefined;
let taken = take();

/** Takes a code out of the address and the history. */
function take(): LinkCode | undefined {
  const [, code, route = ''] = FORM.exec(location.hash) ?? [];
  if (code === undefined) return undefined;
  history.replaceState({}, '', `${location.pathname}${location.search}${route && `#${route}`}`);
  return { code, isOfRoute: route !== '' };
}

/*
 * The module that reads addresses imports this one, which therefore sees each of them first, also that of a
 * link that is pasted into an open page.
 */
addEventListener('popstate', () => {
  taken = take();
  pass();
});

function pass(): void {
  if (taken === undefined || receive === undefined) return;
  receive(taken);
  taken = undefined;
}

/** Passes on the code of the link that opened the page, if any, and of each later one. */
export function onLinkCode(take: (link: LinkCode) => void): void {
  receive = take;
  pass();
}
