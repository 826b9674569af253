import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { link, lstat, readdir, rm, statfs, symlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldOf } from "../../../text/thrown.js";
import { DurableError } from "../../errors.js";

export interface FolderLock {
  /**
   * Checks that nobody has removed the lock or taken the folder in spite of it.
   *
   * @throws {DurableError} `lost`
   */
  readonly confirm: () => Promise<void>;
  /** Lets the next owner in. The file stays, because the highest number must not decrease. */
  release(): Promise<void>;
}

/**
 * Locks a folder: by a Unix socket on which its owner listens. The kernel stops listening when the owner dies,
 * however it dies, and never before. So no time is involved: neither a clock that jumps nor an owner that sleeps makes
 * a second one.
 *
 * Each owner has a number, one higher than the owner before, and its socket is the file `lock-NUMBER`. `link()`
 * creates a name only if it does not exist, so of several candidates for one number a single one wins. An owner
 * removes lower numbers but never its own. So the highest number never decreases, and a candidate that was late finds
 * a higher one beside its own and gives up.
 *
 * @throws {DurableError} `owned`, `unavailable`
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const { type } = await statfs(folder);
  if (isNetworkFileSystem(type)) {
    throw new DurableError(
      "unavailable",
      `${folder} is on a network file system, where the lock cannot tell whether an owner on another machine lives. Use a folder on a local disk.`,
    );
  }
  return withShortPath(folder, async (short) => {
    const name = `candidate-${randomUUID().slice(0, 8)}`;
    const server = await listen(join(short, name));
    try {
      const path = pathOf(folder, await claim(folder, short, name));
      return lockAt(path, server, await inodeOf(path), folder);
    } catch (error) {
      server.close();
      throw error;
    } finally {
      await rm(join(folder, name), { force: true });
    }
  });
}

function lockAt(path: string, server: Server, inode: number, folder: string): FolderLock {
  return {
    async confirm() {
      const now = await inodeOf(path).catch(() => undefined);
      if (now === inode && server.listening) return;
      throw new DurableError("lost", `This process does not own ${folder} anymore.`);
    },
    release: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

async function inodeOf(path: string): Promise<number> {
  return (await lstat(path)).ino;
}

/** Returns the number that the candidate owns. */
async function claim(folder: string, short: string, candidate: string): Promise<number> {
  for (;;) {
    const [latest = 0] = await numbersIn(folder);
    if (latest > 0 && (await isAlive(pathOf(short, latest)))) {
      throw new DurableError("owned", `Another process, or another journal of this one, owns ${folder}.`);
    }
    const mine = latest + 1;
    try {
      await link(join(folder, candidate), pathOf(folder, mine));
    } catch (error) {
      if (fieldOf(error, "code") === "EEXIST") continue;
      throw error;
    }
    const [highest, ...lower] = await numbersIn(folder);
    if (highest === mine) {
      for (const number of lower) await rm(pathOf(folder, number), { force: true });
      return mine;
    }
    await rm(pathOf(folder, mine), { force: true });
  }
}

/** The numbers of all owners, the highest first. */
async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => /^lock-(\d{1,15})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

function pathOf(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    // A worker of node:cluster would otherwise listen in the primary process, and the lock outlive it.
    server.listen({ path, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Whether somebody listens. A socket whose backlog is full (EAGAIN) has a listener too. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT" || error.code === "ENOTSOCK")
        resolve(false);
      else if (error.code === "EAGAIN") resolve(true);
      else reject(error);
    });
  });
}

/** The path of a socket may have about 100 bytes. A link to the folder makes a longer one short. */
async function withShortPath<T>(folder: string, work: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(folder) <= maxFolderLength) return work(folder);
  const short = join(tmpdir(), `millrace-${randomUUID().slice(0, 8)}`);
  await symlink(folder, short);
  try {
    return await work(short);
  } finally {
    await rm(short, { force: true });
  }
}

/** macOS allows 104 bytes with the final zero, and a candidate has 19. */
const maxFolderLength = 80;

/** @param type the magic number of the file system, from `statfs()` */
export function isNetworkFileSystem(type: number): boolean {
  return networkFileSystems.has(type >>> 0);
}

/** NFS, SMB, CIFS, SMB2. */
const networkFileSystems: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);
