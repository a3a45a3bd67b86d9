// What changed since the branch left main.

import { execFileSync } from 'node:child_process';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * The files that differ from the commit at which this branch left another, committed or not.
 *
 * It can't be told without Git or that other branch; and not on main itself, where the branch left nowhere: how much of it
 * is new, nothing here knows. Then everything counts as changed.
 *
 * @param base the name of the other branch, or a commit
 * @returns a sentence for people, and whether one of some paths changed (a path ending in a slash is a folder)
 */
export function changesSince(base) {
  const files = filesSince(base);
  if (typeof files === 'string') {
    return { said: `Every check plays: what changed can't be told, because ${files}.`, touch: () => true };
  }
  const isIn = (file) => (input) => (input.endsWith('/') ? file.startsWith(input) : file === input);
  return {
    said: `${files.length} files changed since ${base}; checks play if they depend on one of them.`,
    touch: (inputs) => files.some((file) => inputs.some(isIn(file))),
  };
}

/** @returns the files, or why they can't be told */
function filesSince(base) {
  try {
    const from = git('merge-base', 'HEAD', base);
    if (from === git('rev-parse', 'HEAD')) return `this is ${base}`;
    const changed = git('diff', '--name-only', '-z', '--no-renames', from);
    const added = git('ls-files', '--others', '--exclude-standard', '-z');
    return `${changed}\0${added}`.split('\0').filter((file) => file !== '');
  } catch {
    return `Git finds no common commit with ${base}`;
  }
}
