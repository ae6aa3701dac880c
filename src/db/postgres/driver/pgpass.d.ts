declare module 'pgpass' {
  /** Calls back with the password in ~/.pgpass or PGPASSFILE. */
  export default function pgpass(
    connection: { host: string; port: number; database: string | undefined; user: string | undefined },
    callback: (password: string | undefined) => void,
  ): void;
}
