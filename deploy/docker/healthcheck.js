'use strict';
// Exit code 0 when the address answers 2xx in time. Without an argument: this process's own metrics, which every role serves.
const url = process.argv[2] ?? `http://127.0.0.1:${process.env.METRICS_PORT}/metrics`;

fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  (answer) => process.exit(answer.ok ? 0 : 1),
  () => process.exit(1),
);
