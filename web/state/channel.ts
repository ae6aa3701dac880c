/** A channel between the tabs of a browser. Undefined if the browser blocks it, as it can block storage. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
