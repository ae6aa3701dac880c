const REVOKE_AFTER_MS = 60_000;

/** Hands a text to the browser as a file to save. */
export function saveFile(name: string, parts: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}
