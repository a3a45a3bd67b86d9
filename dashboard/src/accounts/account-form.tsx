import { Button, Card, Group, Select, SimpleGrid, Stack, TagsInput, Textarea, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { MAX_SEARCH_FIELDS } from '../../../src/domain/search-values';
import type { AccountDetail } from '../api/answers';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { bodyOf, draftOf, type AccountDraft } from './account-draft';
import { useChangeAccount } from './account-queries';
import { AccountEventFields } from './account-event-fields';
import { AccountLimitFields } from './account-limit-fields';

/** Those that show their own problems. */
const FIELDS = [
  ...['name', 'email', 'tier', 'limits', 'metadata'],
  ...['search_fields', 'defaults', 'event_types', 'retention_days'],
];

const UNREADABLE = 'Enter a JSON object of texts, such as {"plan": "gold"}';

/** Names, tier, limits, metadata and search fields of an account. It keeps what it was opened with until it is saved. */
export function AccountForm({ account }: { readonly account: AccountDetail }) {
  const [opened, setOpened] = useState(() => draftOf(account));
  const [draft, setDraft] = useState(opened);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const save = useChangeAccount(account.id);
  const change = (parts: Partial<AccountDraft>): void => setDraft((current) => ({ ...current, ...parts }));
  const submit = onSubmit(() => {
    const body = bodyOf(draft, opened);
    setIsUnreadable(!body);
    if (!body) return;
    save.mutate(body, {
      onSuccess: (saved) => {
        setOpened(draftOf(saved));
        setDraft(draftOf(saved));
        notifications.show({ message: 'The account is saved.' });
      },
    });
  });
  const { error } = save;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="account-settings">
      <form onSubmit={submit}>
        <Stack>
          <Title order={2} id="account-settings">
            Settings
          </Title>
          <ProblemAlert error={error} title="The account was not changed" fields={FIELDS} />
          <AccountFields
            draft={draft}
            onChange={change}
            tiers={account.tiers}
            problemAt={(path) => (path === 'metadata' && isUnreadable ? UNREADABLE : problemOf(error, path))}
          />
          <Group>
            <Button type="submit" loading={save.isPending}>
              Save the account
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

interface AccountFieldsProps {
  readonly draft: AccountDraft;
  readonly onChange: (parts: Partial<AccountDraft>) => void;
  readonly tiers: AccountDetail['tiers'];
  /** What is wrong with the field at this path of the body. */
  readonly problemAt: (path: string) => string | undefined;
}

function AccountFields({ draft, onChange: change, tiers, problemAt }: AccountFieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NameFields draft={draft} onChange={change} problemAt={problemAt} />
      </SimpleGrid>
      <Select
        label="Tier"
        description="Its limits apply from the next call on."
        data={tiers.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.tier}
        onChange={(tier) => change({ tier: tier ?? draft.tier })}
        allowDeselect={false}
        maw={340}
        error={problemAt('tier')}
      />
      <AccountLimitFields
        limits={draft.limits}
        tier={tiers.find(({ id }) => id === draft.tier)}
        problemAt={problemAt}
        onChange={(limits) => change({ limits })}
      />
      <Textarea
        label="Metadata"
        description="A JSON object of texts. It is shown here and in the API, and never sent."
        placeholder={'{"plan": "gold"}'}
        value={draft.metadata}
        onChange={({ currentTarget }) => change({ metadata: currentTarget.value })}
        autosize
        error={problemAt('metadata')}
      />
      <TagsInput
        label="Search fields"
        description={`Fields of data by which events are found, for events from now on; at most ${MAX_SEARCH_FIELDS}.`}
        value={[...draft.searchFields]}
        onChange={(searchFields) => change({ searchFields })}
        maxTags={MAX_SEARCH_FIELDS}
        error={problemAt('search_fields')}
      />
      <AccountEventFields draft={draft} problemAt={problemAt} onChange={change} />
    </>
  );
}

function NameFields({ draft, onChange, problemAt }: Omit<AccountFieldsProps, 'tiers'>) {
  return (
    <>
      <TextInput
        label="Name"
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        maxLength={200}
        error={problemAt('name')}
      />
      <TextInput
        label="E-mail"
        description="Where to reach the customer. It is no sign-in."
        value={draft.email}
        onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
        maxLength={254}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={problemAt('email')}
      />
    </>
  );
}
