const SHOWN_CHARACTERS = 60;

/** A value of a request or file in a message: quoted, escaped and shortened. */
export function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text);
}
