import { mkdir, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../../dev/run-program';
import type { LimitedDisk } from './limited-disk';

/** A disk in a file, with a file system of its own, that can lose its power. */
export interface LoopDisk extends LimitedDisk {
  /**
   * Cuts the power: from now on every write fails, and what was not synced is gone. End its processes, and call
   * {@link powerOn}.
   */
  cutPower(): Promise<void>;
  powerOn(): Promise<void>;
}

const SIZE_BYTES = 4 * 1024 ** 3;
const FILLER = 'filler';

/**
 * `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`, the way in which the tests of Linux's own file systems cut the
 * power: neither the journal nor dirty pages reach the disk any more. Node has no ioctl.
 */
const SHUT_DOWN = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))
`;

/** Mounts an ext4 file system in a file, which needs Linux and root. @param image the file */
export async function mountLoopDisk(folder: string, image: string): Promise<LoopDisk> {
  await mkdir(folder, { recursive: true });
  await writeFile(image, '');
  await truncate(image, SIZE_BYTES);
  const filler = join(folder, FILLER);
  const make = async (): Promise<void> => {
    await insist('mkfs.ext4', ['-q', '-m', '0', '-E', 'lazy_itable_init=0,nodiscard', image]);
    await insist('mount', ['-o', 'loop', image, folder]);
  };
  const unavailable = await make().then(
    () => undefined,
    (error: unknown) => `a file system in a file can't be mounted here: ${(error as Error).message}`,
  );
  return {
    unavailable,
    async fill(leftBytes) {
      const { bavail, bsize } = await statfs(folder);
      await insist('fallocate', ['--length', String(bavail * bsize - leftBytes), filler]);
    },
    release: () => rm(filler, { force: true }),
    cutPower: () => insist('python3', ['-c', SHUT_DOWN, folder]),
    async powerOn() {
      await insist('umount', [folder]);
      await insist('mount', ['-o', 'loop', image, folder]);
    },
    async close() {
      // Lazily: a process that was just killed may still hold it.
      if (unavailable === undefined) await runProgram('umount', ['-l', folder]);
    },
  };
}

/** @throws Error with what the program said when it fails */
async function insist(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(program, args);
  if (code !== 0) throw new Error(stderr.trim() || `${program} ended with code ${code}`);
}
