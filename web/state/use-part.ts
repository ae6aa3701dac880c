import { partNotLoaded } from './api.ts';
import { useLoad } from './use-load.ts';

const loadedStyles = new Map<string, Promise<void>>();

/** Loads the code and the style sheets of a part of the page when the part is shown. */
export function usePart<Part>(name: string, load: () => Promise<Part>, styles: readonly URL[] = []) {
  return useLoad(
    name,
    async () => {
      try {
        const [part] = await Promise.all([load(), ...styles.map(({ href }) => loadStyle(href))]);
        return part;
      } catch (error) {
        throw await partNotLoaded(error);
      }
    },
    () => {},
  );
}

/** Adds a style sheet to the page once, and waits until it applies. */
function loadStyle(href: string): Promise<void> {
  const known = loadedStyles.get(href);
  if (known !== undefined) return known;
  const link = document.createElement('link');
  const loading = new Promise<void>((resolve, reject) => {
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      loadedStyles.delete(href);
      reject(new Error(href));
    };
    document.head.append(link);
  });
  loadedStyles.set(href, loading);
  return loading;
}
