import { useEffect } from 'preact/hooks';

/** The text stays in the search field until something is found, so that the user can correct it. */
export function useFieldText(text: string, isFound: boolean): void {
  useEffect(() => {
    const field = document.querySelector<HTMLInputElement>('#find-text');
    if (field === null || isFound) return;
    if (field.value === '') field.value = text;
    return () => {
      if (field.value === text) field.value = '';
    };
  }, [text, isFound]);
}
