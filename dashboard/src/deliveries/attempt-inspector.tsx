import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyText, type BodyForm } from '../../../src/domain/body-form';
import { HIDDEN } from '../../../src/domain/sent-request';
import type { AttemptWithRequest, DeliveryWithAttempts } from '../api/answers';
import { CodeBlock } from '../elements/code-block';
import { CopyButton } from '../elements/copy-button';
import { Folded } from '../elements/folded';
import { ProblemAlert } from '../elements/problem-alert';
import { eventQuery } from '../events/event-queries';
import { AttemptTimings } from './attempt-timings';
import { curlCommand } from './curl-command';

interface AttemptInspectorProps {
  readonly attempt: AttemptWithRequest;
  readonly delivery: Pick<DeliveryWithAttempts, 'event_id' | 'body'>;
  /** Names the attempt among all of the page, for screen readers. */
  readonly name: string;
}

/** What was sent and what came back, byte for byte, and how long each part took. */
export function AttemptInspector({ attempt, delivery, name }: AttemptInspectorProps) {
  const wasSent = Object.keys(attempt.request_headers).length > 0;
  return (
    <>
      {!wasSent && (
        <Text size="sm" c="dimmed">
          No request was sent: there was no connection that could carry it.
        </Text>
      )}
      <Folded title={wasSent ? 'Request and response' : 'Timings'}>
        <Stack gap="md">
          {wasSent && <Request attempt={attempt} delivery={delivery} name={name} />}
          {attempt.status_code !== null && <Response attempt={attempt} name={name} />}
          <AttemptTimings timings={attempt.timings} wasSent={wasSent} name={name} />
        </Stack>
      </Folded>
    </>
  );
}

function Request({ attempt, delivery, name }: AttemptInspectorProps) {
  const { data, error } = useQuery(eventQuery(String(delivery.event_id)));
  const isErased = data?.event.data_erased_at !== undefined;
  const body = data && bodyText(data.event, data.dataText, formOf(delivery.body));
  const { pathname, search } = new URL(attempt.url);
  const { request_headers: headers, url } = attempt;
  const isHiding = Object.values(headers).includes(HIDDEN);
  return (
    <Stack gap="xs">
      <CodeBlock
        title="Request headers"
        label="the request headers"
        of={name}
        code={[`POST ${pathname}${search} HTTP/1.1`, ...linesOf(headers)].join('\n')}
        wraps
      />
      <ProblemAlert error={error} title="The body could not be loaded" />
      {isErased && (
        <Text size="sm" c="dimmed">
          The body was erased, and so was the response.
        </Text>
      )}
      {isErased ? null : body === undefined ? (
        !error && <Loader size="sm" aria-label="Loading the body" />
      ) : (
        <>
          <CodeBlock title="Request body, as signed" label="the request body" of={name} code={body} wraps />
          <Group gap="sm">
            <CopyButton value={curlCommand({ url, headers, body })} label="Copy as curl" />
            <Text size="sm" c="dimmed">
              Sends the same bytes with the same signature.
              {isHiding && ` Replace ${HIDDEN} by your own values: they are not shown.`}
            </Text>
          </Group>
        </>
      )}
    </Stack>
  );
}

function Response({ attempt, name }: Omit<AttemptInspectorProps, 'delivery'>) {
  const { status_code: status, response_headers: headers, response_snippet: body } = attempt;
  return (
    <Stack gap="xs">
      <CodeBlock
        title="Response headers"
        label="the response headers"
        of={name}
        code={[`HTTP/1.1 ${status}`, ...linesOf(headers ?? {})].join('\n')}
        wraps
      />
      {body !== null && body !== '' ? (
        <CodeBlock title="Response body, the first 1 KiB" label="the response body" of={name} code={body} wraps />
      ) : (
        <Text size="sm" c="dimmed">
          No body of the response is stored.
        </Text>
      )}
    </Stack>
  );
}

function formOf({ shape, source, include, exclude }: DeliveryWithAttempts['body']): BodyForm {
  return { shape, source: source ?? '', ...(include && { include }), ...(exclude && { exclude }) };
}

function linesOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}
