/** The options that only browsers need: no response is stored, and no cookie is sent. */
const BROWSER_OPTIONS = { cache: 'no-store', credentials: 'omit' } as const;

/** Whether the platform takes an option of a request. One that does not, such as workerd, refuses every request with it. */
export function takesOption(name: string, value: string): boolean {
  if (typeof Request !== 'function') return true;
  try {
    new Request('http://localhost', { [name]: value });
    return true;
  } catch {
    return false;
  }
}

/** The options of the platform, if it is a browser or takes them like one. */
export const browserOptions = (): Partial<typeof BROWSER_OPTIONS> =>
  Object.fromEntries(Object.entries(BROWSER_OPTIONS).filter(([name, value]) => takesOption(name, value)));
