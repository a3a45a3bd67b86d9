"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startReaper = startReaper;
const node_child_process_1 = require("node:child_process");
/**
 * Reads our end of a pipe: the kernel closes it when we die, also by `kill -9`. It has a session of its own, so that
 * neither a terminal's Ctrl-C nor a signal to our group ends it before its work is done.
 */
const SCRIPT = `
  const { rmSync } = require('node:fs');
  const folder = process.argv[1];
  const pids = new Set();
  let dismissed = false;
  let rest = '';
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      const [word, pid] = line.split(' ');
      if (word === 'watch') pids.add(Number(pid));
      if (word === 'forget') pids.delete(Number(pid));
      if (word === 'dismiss') dismissed = true;
    }
  });
  process.stdin.on('close', () => {
    if (dismissed) process.exit();
    for (const pid of pids) { try { process.kill(pid, 'SIGKILL'); } catch {} }
    setTimeout(() => { rmSync(folder, { recursive: true, force: true }); process.exit(); }, 200);
  });
`;
/**
 * Starts a small process that outlives us. For throw-away stacks only: whoever runs tests or a demo and kills them
 * must not find a database server running the day after.
 *
 * @param folder the throw-away folder to remove at the end
 */
function startReaper(folder) {
    const child = (0, node_child_process_1.spawn)(process.execPath, ['-e', SCRIPT, folder], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
    });
    child.unref();
    const pipe = child.stdin;
    pipe.unref?.();
    pipe.on('error', () => undefined);
    return {
        watch: (pid) => void pipe.write(`watch ${pid}\n`),
        forget: (pid) => void pipe.write(`forget ${pid}\n`),
        dismiss: () => void pipe.end('dismiss\n'),
    };
}
//# sourceMappingURL=reaper.js.map