'use strict';

module.exports = () => globalThis.stopTestServers();
