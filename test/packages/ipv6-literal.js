// Makes one TLS connection to [::1], and prints OK. Node of any version runs it.
//
//   node ipv6-literal.js <module with checkIdentity, or none> '{"key": …, "cert": …}'
'use strict';
const { createServer, request } = require('node:https');

const [, , checkModule, pair] = process.argv;
const { key, cert } = JSON.parse(pair);
const own = checkModule === 'none' ? {} : { checkServerIdentity: require(checkModule).checkIdentity };

const server = createServer({ key, cert }, (_request, response) => response.end('ok'));
server.listen(0, '::1', () => {
  const { port } = server.address();
  // As src/sender/exchange.ts asks: no server name for an address.
  const asked = request({ host: '::1', port, ca: cert, servername: '', agent: false, ...own }, (response) => {
    response.resume();
    response.on('end', () => {
      process.stdout.write('OK\n');
      server.close();
    });
  });
  asked.end();
});
