/** If the browser blocks storage, values are remembered here while the page is open. */
const memory = new Map<string, string>();

export function read(storage: () => Storage, name: string): string | null {
  try {
    return memory.get(name) ?? storage().getItem(name);
  } catch {
    return null;
  }
}

export function write(storage: () => Storage, name: string, value: string): void {
  try {
    storage().setItem(name, value);
    memory.delete(name);
  } catch {
    memory.set(name, value);
  }
}

export const readTab = (name: string): string | null => read(() => sessionStorage, name);

export const writeTab = (name: string, value: string): void => write(() => sessionStorage, name, value);

export function removeTab(name: string): void {
  memory.delete(name);
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Storage is blocked.
  }
}
