import { plantTree, type PlantedTree } from './planted-tree';

const SETTINGS = ['.oxlintrc.json', 'tsconfig.json', 'package.json'];

const POST = 'declare function post(): Promise<boolean>;\n';

/** One mistake each: the rule, the file, the code. */
const PLANTED: readonly (readonly [rule: string, file: string, code: string])[] = [
  ['typescript(no-floating-promises)', 'src/a/forgotten.ts', `${POST}export function go() { post(); }`],
  ['typescript(no-floating-promises)', 'src/a/forgotten-in-array.ts', `${POST}export function go() { [1].map(post); }`],
  [
    'typescript(no-misused-promises)',
    'src/a/promise-as-condition.ts',
    `${POST}export const go = () => (post() ? 1 : 2);`,
  ],
  [
    'typescript(no-misused-promises)',
    'src/a/promise-as-callback.ts',
    `${POST}export const go = () => [1].forEach(post);`,
  ],
  ['typescript(await-thenable)', 'src/a/nothing-to-await.ts', 'export async function go() { await 1; }'],
  [
    'typescript(return-await)',
    'src/a/never-caught.ts',
    `${POST}export async function go() { try { return post(); } catch { return false; } }`,
  ],
  [
    'typescript(no-floating-promises)',
    'workflows/forgotten-activity.ts',
    `${POST}export async function go() { post(); }`,
  ],
  ['typescript(no-explicit-any)', 'src/a/anything.ts', 'export function go(value: any) { return value; }'],
  ['typescript(consistent-type-imports)', 'src/a/hidden-import.ts', "export type X = import('node:fs').Stats;"],
  ['node(no-process-env)', 'src/a/reads-environment.ts', "export const port = process.env['PORT'];"],
  ['eslint(no-restricted-globals)', 'workflows/calls-out.ts', "export const go = () => fetch('https://example.com');"],
  ['eslint(no-restricted-globals)', 'workflows/reads-environment.ts', 'export const go = () => process.pid;'],
  ['eslint(no-restricted-properties)', 'src/domain/has-a-clock.ts', 'export const now = () => Date.now();'],
  ['eslint(no-restricted-globals)', 'src/domain/waits.ts', 'export const go = () => setTimeout(() => undefined, 1);'],
  ['import(no-default-export)', 'src/a/default-export.ts', 'export default 1;'],
  ['unicorn(filename-case)', 'src/a/camelCase.ts', 'export const one = 1;'],
  ['unicorn(prefer-node-protocol)', 'src/a/short-import.ts', "import { join } from 'path';\nexport const go = join;"],
  ['eslint(no-console)', 'src/a/prints.ts', "export const go = () => console.log('x');"],
  ['eslint(no-restricted-imports)', 'dashboard/src/a/knows-a-store.ts', "export * from '../../../src/keys/store';"],
  [
    'eslint(no-restricted-imports)',
    'dashboard/src/a/knows-a-type.ts',
    "import type { Key } from '../../../src/keys/store';\nexport type Keys = Key[];",
  ],
  [
    'eslint(max-lines)',
    'src/a/too-long.ts',
    Array.from({ length: 240 }, (_, index) => `export const n${index} = ${index};`).join('\n'),
  ],
];

describe('the lint rules', () => {
  let tree: PlantedTree;
  let problems: string[];

  beforeAll(() => {
    tree = plantTree(SETTINGS, {
      'src/a/innocent.ts': `${POST}export async function go() { return (await post()) ? 1 : 2; }\n`,
      ...Object.fromEntries(PLANTED.map(([, file, code]) => [file, `${code}\n`])),
    });
    // `unix` prints one line a problem: file:line:column: message [Error/plugin(rule)].
    problems = tree
      .run('oxlint/bin/oxlint', '--type-aware', '--format', 'unix', 'src', 'workflows', 'dashboard')
      .stdout.split('\n');
  });
  afterAll(() => tree.remove());

  it.each(PLANTED)('%s refuses %s', (rule, file) => {
    expect(problems.filter((line) => line.startsWith(`${file}:`)).join('\n')).toContain(`/${rule}]`);
  });

  it('accept correct code', () => {
    expect(problems.filter((line) => line.startsWith('src/a/innocent.ts:'))).toEqual([]);
  });
});
