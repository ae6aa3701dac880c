import { useEffect } from 'preact/hooks';

/**
 * Puts the text back into the field of the search while it has not found what it names, so that it can be
 * corrected.
 */
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
