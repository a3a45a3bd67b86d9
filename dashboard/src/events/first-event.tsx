import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../elements/code-block';
import { ACCOUNT_KEYS } from '../keys/key-kinds';
import { keysQuery } from '../keys/key-queries';

/** How the first event is sent, with the account's own key where the page knows it. */
export function FirstEvent() {
  const { data } = useQuery(keysQuery(ACCOUNT_KEYS));
  const key = data?.keys.find(({ product, revoked_at }) => product === 'weh' && revoked_at === null);
  const command = [
    `curl ${location.origin}/api/v1/webhooks/events \\`,
    `  -H "Authorization: Bearer ${key?.display ?? 'svc_live_weh_…'}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"type": "order.created", "data": {"order_id": 42}, "idempotency_key": "42_created"}'`,
  ].join('\n');
  return (
    <Stack gap="xs">
      <Text>
        {key
          ? 'Send your first event. Replace the shortened key with your full one:'
          : 'Create an API key. Then send your first event:'}
      </Text>
      <CodeBlock code={command} label="the command" />
    </Stack>
  );
}
