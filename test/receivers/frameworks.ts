import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import type { PythonTools } from '../support/python-tools';
import { lacking } from './languages';

const ROOT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'frameworks.md'), 'utf8');
const PACKAGES = join(__dirname, 'frameworks');
const GO_MODULE = join(ROOT, 'test', 'contract', 'standard-webhooks-go');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** How the receiver of a framework is laid out and run. */
export interface Framework {
  /** Its heading in the page. */
  readonly name: string;
  /** What has to be on this machine. */
  readonly needs: 'node' | 'python' | 'go';
  /** The name of its file. */
  readonly file: string;
  /** What is beside it. */
  readonly others?: Readonly<Record<string, string>>;
  /** What is done once before it starts. */
  readonly prepare?: (folder: string) => void;
  /** The command line for a port; `python` is the one with the frameworks. */
  readonly command: (port: number, python: string) => readonly string[];
}

/** Calls the handler as Next.js does, with the `Request` of the platform. */
const NEXT_SERVER = `import { createServer } from 'node:http';
import { POST } from './route.mjs';
createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const answer = await POST(new Request('http://127.0.0.1/hook', { method: 'POST', headers: incoming.headers, body }));
  outgoing.writeHead(answer.status).end();
}).listen(process.env.PORT, '127.0.0.1');
`;

const DJANGO_SETTINGS = `ROOT_URLCONF = "receiver"
SECRET_KEY = "for this test"
ALLOWED_HOSTS = ["*"]
MIDDLEWARE = ["django.middleware.csrf.CsrfViewMiddleware", "django.middleware.common.CommonMiddleware"]
`;

/** The receivers of the page that this machine can run; each listens on loopback. */
export const FRAMEWORKS: readonly Framework[] = [
  { name: 'Express', needs: 'node', file: 'receiver.mjs', command: () => [process.execPath, 'receiver.mjs'] },
  { name: 'Fastify', needs: 'node', file: 'receiver.mjs', command: () => [process.execPath, 'receiver.mjs'] },
  {
    name: 'NestJS',
    needs: 'node',
    file: 'receiver.mts',
    prepare: (folder) => compile(folder),
    command: () => [process.execPath, 'receiver.mjs'],
  },
  {
    name: 'Next.js',
    needs: 'node',
    file: 'route.mjs',
    others: { 'server.mjs': NEXT_SERVER },
    command: () => [process.execPath, 'server.mjs'],
  },
  {
    name: 'Flask',
    needs: 'python',
    file: 'receiver.py',
    command: (port, python) => [python, '-m', 'flask', '--app', 'receiver', 'run', '--port', String(port)],
  },
  {
    name: 'FastAPI',
    needs: 'python',
    file: 'receiver.py',
    command: (port, python) => [python, '-m', 'uvicorn', 'receiver:app', '--port', String(port)],
  },
  {
    name: 'Django',
    needs: 'python',
    file: 'receiver.py',
    others: { 'settings.py': DJANGO_SETTINGS },
    command: (port, python) => [
      python,
      ...['-m', 'django', 'runserver', '--noreload', '--pythonpath', '.', '--settings', 'settings'],
      `127.0.0.1:${port}`,
    ],
  },
  {
    name: 'Go',
    needs: 'go',
    file: 'main.go',
    prepare(folder) {
      cpSync(join(GO_MODULE, 'go.sum'), join(folder, 'go.sum'));
      // A pattern of net/http with a method needs a module that asks for Go 1.22.
      const module = readFileSync(join(GO_MODULE, 'go.mod'), 'utf8').replace(/^go .*$/m, 'go 1.22.0');
      writeFileSync(join(folder, 'go.mod'), module);
      const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '' };
      execFileSync('go', ['build', '-o', 'receiver', '.'], { cwd: folder, env, stdio: 'pipe' });
    },
    command: () => ['./receiver'],
  },
];

/** The first block of code under a heading of the page. */
export function codeUnder(heading: string): string {
  const from = new RegExp(`^##+ ${heading.replaceAll('.', '\\.')}$`, 'm').exec(PAGE);
  const code = from && /^```\w+\n([\s\S]*?)^```$/m.exec(PAGE.slice(from.index))?.[1];
  if (!code) throw new Error(`docs/frameworks.md has no code under "${heading}"`);
  return code;
}

/** Why a framework can't be run on this machine, if so. */
export function missingFor({ needs }: Framework, python: PythonTools | undefined): string | undefined {
  if (needs === 'go' && !process.env['CI']) return lacking('go', ['version']);
  return needs === 'python' && !python ? 'python3 with venv and pip is not installed here' : undefined;
}

/** Writes the receiver as a reader would copy it, with what its language's receivers share. */
export function layOut(framework: Framework, folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, framework.file), codeUnder(framework.name));
  for (const [name, content] of Object.entries(framework.others ?? {})) writeFileSync(join(folder, name), content);
  if (framework.needs === 'node') {
    writeFileSync(join(folder, 'receive.mjs'), codeUnder('JavaScript'));
    symlinkSync(join(installedPackages(), 'node_modules'), join(folder, 'node_modules'));
  }
  if (framework.needs === 'python') writeFileSync(join(folder, 'receive.py'), codeUnder('Python'));
  framework.prepare?.(folder);
}

function compile(folder: string): void {
  const flags = ['--module', 'nodenext', '--target', 'es2022', '--experimentalDecorators', '--emitDecoratorMetadata'];
  const args = [TSC, '--ignoreConfig', '--noCheck', ...flags, 'receiver.mts'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The receiver does not compile: ${stdout}`);
}

/** The frameworks of JavaScript, installed by an earlier run or now. */
function installedPackages(): string {
  const cache = join(loadConfig().cacheDir, 'frameworks');
  const lock = readFileSync(join(PACKAGES, 'package-lock.json'));
  const folder = join(cache, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  // Under another name first: an interrupted install is never used.
  const part = `${folder}-${randomBytes(4).toString('hex')}`;
  cpSync(PACKAGES, part, { recursive: true });
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: part, stdio: 'pipe' });
    if (!existsSync(folder)) renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}
