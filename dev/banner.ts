import { COMMANDS } from './commands';
import type { RunningStack } from './stack';

export interface BannerOptions {
  readonly dataDir: string;
  readonly logFile: string;
}

/**
 * The text that `npm start` prints once everything is healthy. Each `curl` command is one line, so that it can be
 * pasted anywhere.
 */
export function renderBanner(stack: RunningStack, options: BannerOptions): string {
  const { apiUrl, temporalUiUrl, inbox, firstAccount } = stack;
  const key = firstAccount?.key ?? '$EVERPOST_KEY';
  const headers = `-H "Authorization: Bearer ${key}" -H "content-type: application/json"`;
  const webhooks = `${apiUrl}/api/v1/webhooks`;
  const endpoint = JSON.stringify({ url: inbox.endpointUrl, events: ['*'], description: 'the local inbox' });
  const event = JSON.stringify({ type: 'order.created', data: { order: 4711, total: '12.50' } });
  return `
Everpost runs.

  Dashboard        ${apiUrl}/dashboard
  API              ${apiUrl}
  Guides           ${apiUrl}/guides
  Temporal Web UI  ${temporalUiUrl ?? 'that of the configured server'}
  Inbox            ${inbox.pageUrl}
  Metrics          ${stack.metricsUrl ?? 'none'}
  Data             ${options.dataDir}
  Log              ${options.logFile}

${setupLines(stack.setupUrl)}${keyLines(firstAccount)}
1. Register the inbox as an endpoint (again and again, if you like: it stays one endpoint):

  curl -s -X PUT ${webhooks}/endpoints/local-inbox ${headers} -d '${endpoint}'

2. Send an event; look at the inbox to see it arrive, signed:

  curl -s ${webhooks}/events ${headers} -d '${event}'

Ctrl-C stops everything in order. The next "${COMMANDS.start}" resumes every delivery.
`;
}

function setupLines(setupUrl: string | undefined): string {
  if (setupUrl === undefined) return '';
  return `To sign in to the dashboard, open this link once, within 24 hours. Whoever opens it owns the installation:

  ${setupUrl}

`;
}

function keyLines(firstAccount: RunningStack['firstAccount']): string {
  if (firstAccount) {
    return `The API key of your first account, ${firstAccount.accountId}. It is shown now and never again:

  ${firstAccount.key}

The management key, with which a platform creates an account for each of its customers. It too is shown only now:

  ${firstAccount.managementKey}
`;
  }
  return `Put an API key into EVERPOST_KEY. To make another key (accounts: ${COMMANDS.cli} account list):

  ${COMMANDS.cli} key create --account <id> --product weh --label <name>
`;
}
