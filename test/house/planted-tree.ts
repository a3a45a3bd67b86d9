import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const TIMEOUT_MS = 25_000;

const ROOT = join(__dirname, '..', '..');

/** A small tree of source files beside the project's own tool settings. */
export interface PlantedTree {
  readonly folder: string;
  /** Runs a tool of node_modules inside the tree. Name the folders: `node_modules` is there as well. */
  run(
    script: string,
    ...args: string[]
  ): { readonly code: number | null; readonly stdout: string; readonly stderr: string };
  remove(): void;
}

/**
 * Plants files where a tool checks them with the project's settings, to see what it reports.
 *
 * @param settings names of the settings files to copy
 * @param files content by path
 */
export function plantTree(settings: readonly string[], files: Readonly<Record<string, string>>): PlantedTree {
  const folder = mkdtempSync(join(tmpdir(), 'everpost-house-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  for (const name of settings) cpSync(join(ROOT, name), join(folder, name));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return {
    folder,
    run(script, ...args) {
      const file = join(ROOT, 'node_modules', script);
      const options = { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], options);
      return { code: status, stdout, stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
