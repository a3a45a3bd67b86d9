import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../../dev/run-program';

/**
 * The version that an upgrade comes from, and goes back to: the last commit before events are sealed and expire by a
 * field of their own. Once there is a release, name its tag here.
 */
const EARLIER = 'd497f8f00557b99b2dcf8999ffb17efbfe4bdb23';

/** What an API and a worker are compiled from. */
const SOURCES = ['src', 'workflows', 'activities', 'bootstrap', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

/**
 * Builds the earlier version from the history of the repository, with the dependencies of this one.
 *
 * @param folder gets its sources and its build
 * @returns the build; undefined where the history lacks that version, as in a shallow clone
 */
export async function buildEarlier(root: string, folder: string): Promise<string | undefined> {
  const git = ['-C', root];
  const found = await runProgram('git', [...git, 'cat-file', '-e', `${EARLIER}^{commit}`]).catch(() => undefined);
  if (found?.code !== 0) return undefined;
  // The row is played once for each way of first attempts.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'sources.tar');
  await insist('git', [...git, 'archive', '--output', archive, EARLIER, ...SOURCES]);
  await insist('tar', ['-x', '-f', archive, '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const dist = join(folder, 'dist');
  // Its types were checked when it was this version.
  const compiler = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--noCheck'];
  await insist(process.execPath, [...compiler, '--project', join(folder, 'tsconfig.build.json')]);
  // The compiler copies no other files.
  const filter = (path: string): boolean => !path.endsWith('.ts');
  await cp(join(folder, 'src'), join(dist, 'src'), { recursive: true, filter });
  await insist(process.execPath, [join(folder, 'bootstrap', 'bundle-workflows.js'), dist]);
  return dist;
}

async function insist(file: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runProgram(file, args);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
