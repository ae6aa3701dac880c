const SHOWN_CHARACTERS = 60;

/** A value from outside as it may stand in a message: quoted, escaped and cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text);
}
