import { mkdir, statfs } from 'node:fs/promises';
import { runProgram } from '../../../dev/run-program';

/** A folder on a separate file system, which can be filled. */
export interface LimitedDisk {
  /** Why there is none on this machine; then the folder is an ordinary one. */
  readonly unavailable: string | undefined;
  /** Leaves this many bytes free. */
  fill(leftBytes: number): Promise<void>;
  /** Gives the space back. */
  release(): Promise<void>;
  close(): Promise<void>;
}

const SIZE_BYTES = 8 * 1024 ** 3;

/** A memory disk takes memory for what is in it only, and can shrink to that at any moment. */
export async function mountLimitedDisk(folder: string): Promise<LimitedDisk> {
  await mkdir(folder, { recursive: true });
  const refusal = await mount(['-t', 'tmpfs', '-o', `size=${SIZE_BYTES}`, 'tmpfs', folder]);
  const resize = async (bytes: number): Promise<void> => {
    const failed = await mount(['-o', `remount,size=${bytes}`, folder]);
    if (failed) throw new Error(failed);
  };
  return {
    unavailable: refusal && `a memory disk of limited size can't be mounted here: ${refusal}`,
    async fill(leftBytes) {
      const { blocks, bfree, bsize } = await statfs(folder);
      await resize((blocks - bfree) * bsize + leftBytes);
    },
    release: () => resize(SIZE_BYTES),
    async close() {
      if (refusal) return;
      // Lazily: a process that was just killed may still hold it.
      await runProgram('umount', ['-l', folder]);
    },
  };
}

/** @returns why it failed */
async function mount(args: readonly string[]): Promise<string | undefined> {
  try {
    const { code, stderr } = await runProgram('mount', args);
    return code === 0 ? undefined : stderr.trim() || `mount ended with code ${code}`;
  } catch (error) {
    return (error as Error).message;
  }
}
