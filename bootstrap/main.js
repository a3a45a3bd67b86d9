'use strict';
const { ensureBuild } = require('./build');
const { COMMANDS } = require('./commands');
const { loadEnvFile } = require('./env-file');
const { ensureDependencies } = require('./install');
const { ExpectedError, say } = require('./say');
const { runToEnd } = require('./child');

/** Does what `node bootstrap/run.js <command> [arguments]` was asked to; the command's exit code becomes ours. */
async function main() {
  const [name, ...args] = process.argv.slice(2);
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) {
    throw new ExpectedError(`Usage: node bootstrap/run.js <${Object.keys(COMMANDS).join('|')}> [arguments]`);
  }
  await ensureDependencies();
  const needsBuild = typeof command.build === 'function' ? command.build(args) : command.build;
  const build = needsBuild ? await ensureBuild({ webPage: command.webPage }) : undefined;
  if (command.settings) loadEnvFile();
  for (const step of command.steps({ args, build: build?.folder })) {
    if (step.title) say(step.title);
    const code = await runToEnd(step.file, step.args, { onStart: (pid) => build?.markUsed(pid) });
    if (code !== 0) return code;
  }
  return 0;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    say(error instanceof ExpectedError ? error.message : error.stack);
    process.exitCode = 1;
  },
);
