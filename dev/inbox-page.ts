import { escapeHtml } from '../src/openapi/html';
import type { InboxRequest, SignatureVerdict } from './inbox-log';

/** Allows only what is in the page itself: no scripts at all, and only styles from this file. */
export const INBOX_SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

const REFRESH_SECONDS = 3;

/** Above these lengths the page would be slow; `GET /requests` has everything. */
const SHOWN_REQUESTS = 50;
const SHOWN_BODY_CHARACTERS = 20_000;

const VERDICTS: Record<SignatureVerdict, string> = {
  verified: 'signature verified',
  wrong: 'signature wrong',
  missing: 'no signature',
  unknown: 'sender unknown',
};

/**
 * The page that shows what the inbox received. Everything from outside is escaped.
 *
 * @param refreshing whether it reloads itself; a reader who opened headers needs it to stand still
 */
export function renderInboxPage(endpointUrl: string, requests: readonly InboxRequest[], refreshing: boolean): string {
  const shown = requests.slice(0, SHOWN_REQUESTS);
  const intro =
    requests.length === 0
      ? '<p class="empty">Nothing yet. Register the address above as an endpoint and post an event.</p>'
      : `<p class="count">${requests.length} request${requests.length === 1 ? '' : 's'}, newest first, times in UTC.</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refreshing ? `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''}
<title>Everpost inbox (${requests.length})</title>
<link rel="stylesheet" href="/inbox.css">
</head>
<body>
<main>
<h1>Everpost inbox</h1>
<p>A receiver for trying things out. It answers every POST to <code>${escapeHtml(endpointUrl)}</code> with 200, and to
<code>${escapeHtml(endpointUrl)}status/503</code> with 503 (any status works), so that retries can be watched.
As JSON: <a href="/requests">/requests</a>.</p>
<p>${refreshing ? `Reloads every ${REFRESH_SECONDS} s. <a href="/?still">Pause</a>` : 'Paused. <a href="/">Reload automatically</a>'}</p>
${intro}
${shown.map(renderRequest).join('\n')}
</main>
</body>
</html>
`;
}

function renderRequest(request: InboxRequest): string {
  const { headers } = request;
  const headerRows = Object.entries(headers)
    .map(([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(String(value))}</td></tr>`)
    .join('');
  const body =
    request.body.length > SHOWN_BODY_CHARACTERS ? `${request.body.slice(0, SHOWN_BODY_CHARACTERS)}…` : request.body;
  const type = headers['x-webhook-type'];
  const id = headers['x-webhook-id'];
  return `<article>
<header>
<h2>${escapeHtml(String(type ?? 'POST'))}${id === undefined ? '' : ` <span class="id">event ${escapeHtml(String(id))}</span>`}</h2>
<p class="facts"><span class="verdict ${request.signature}">${VERDICTS[request.signature]}</span>
<span class="status ${request.answered < 300 ? 'ok' : 'failed'}">answered ${request.answered}</span>
<time datetime="${request.received_at}">${request.received_at.slice(11, 23)}</time>
<code>${escapeHtml(request.path)}</code></p>
</header>
<pre tabindex="0">${escapeHtml(body)}</pre>
<details><summary>${Object.keys(headers).length} headers</summary><table>${headerRows}</table></details>
</article>`;
}

/** The page's style sheet. Follows the reader's light or dark setting. */
export const INBOX_CSS = `:root { color-scheme: light dark; --line: #d6dae1; --soft: #f4f6f9; --dim: #5b6472; --good: #0a6b3d; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --line: #373d47; --soft: #1c2027; --dim: #a0a9b8; --good: #5fd39a; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
code, pre, td, th { font-family: ui-monospace, monospace; font-size: .85rem; }
.id, .count, .empty, time { color: var(--dim); }
.id { font-weight: normal; }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: 1rem; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .25rem 0 .75rem; align-items: baseline; }
.verdict, .status { font-weight: 600; }
.verified, .ok { color: var(--good); }
.wrong, .missing, .failed { color: var(--bad); }
pre { background: var(--soft); border-radius: .25rem; margin: 0 0 .5rem; padding: .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: normal; color: var(--dim); padding: .1rem 1rem .1rem 0; vertical-align: top; white-space: nowrap; }
td { overflow-wrap: anywhere; }
summary { cursor: pointer; }
`;
