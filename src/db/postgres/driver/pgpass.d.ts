declare module 'pgpass' {
  /** Passes the password to `callback`, from ~/.pgpass or from the file that PGPASSFILE names. */
  export default function pgpass(
    connection: { host: string; port: number; database: string | undefined; user: string | undefined },
    callback: (password: string | undefined) => void,
  ): void;
}
