// Starts the built site, has it send an event to itself, and prints what it verified.
import { spawn } from 'node:child_process';

const next = new URL('node_modules/next/dist/bin/next', import.meta.url).pathname;
const site = spawn(process.execPath, [next, 'start', '--port', '0', '--hostname', '127.0.0.1']);
site.stderr.pipe(process.stderr);
let printed = '';
site.stdout.on('data', (part) => {
  printed += part;
  const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(printed) ?? [];
  if (url && printed.includes('Ready') && !site.isAsked) {
    site.isAsked = true;
    void fetch(`${url}/start`, { method: 'POST', body: `${url}/hook` });
  }
  const [verified] = /^verified .*$/m.exec(printed) ?? [];
  if (verified) {
    console.log(verified);
    site.kill();
  }
});
