import { Button, Card, Group, Stack, TagsInput, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_SEARCH_FIELDS } from '../../../src/domain/search-values';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { useSetSearchFields } from '../search/search-queries';
import { meQuery } from '../session/session-queries';

const FIELD = 'search_fields';

/** Names the fields of `data` by which events are found. It belongs to the account. */
export function SearchFieldsCard() {
  const { data: me } = useSuspenseQuery(meQuery);
  const [opened, setOpened] = useState(me.account.search_fields);
  const [fields, setFields] = useState<string[]>([...opened]);
  const save = useSetSearchFields();
  const submit = onSubmit(() =>
    save.mutate(
      { fields, opened },
      {
        onSuccess: (saved) => {
          setOpened(saved);
          setFields([...saved]);
          notifications.show({ message: 'The search fields are saved.' });
        },
      },
    ),
  );
  return (
    <Card withBorder padding="lg">
      <form onSubmit={submit}>
        <Stack maw={620}>
          <Title order={2}>Search fields</Title>
          <Text size="sm">
            The search finds events by the values of these top-level fields of their data: texts of up to 255
            characters, numbers, true and false. Everyone in the account searches by the same fields. They cover events
            that are accepted after you save.
          </Text>
          <ProblemAlert error={save.error} title="The search fields were not saved" fields={[FIELD]} />
          <TagsInput
            label="Fields"
            description={`At most ${MAX_SEARCH_FIELDS}. Press Enter after each name, for example customer_id.`}
            value={fields}
            onChange={setFields}
            maxTags={MAX_SEARCH_FIELDS}
            error={problemOf(save.error, FIELD)}
            readOnly={me.is_view}
          />
          {!me.is_view && (
            <Group>
              <Button type="submit" loading={save.isPending}>
                Save the search fields
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
}
