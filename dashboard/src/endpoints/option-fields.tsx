import { PasswordInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { ENDPOINT_FLAG_NAMES, ENDPOINT_FLAGS } from '../../../src/domain/endpoint-flags';
import type { Endpoint } from '../api/answers';
import { problemOf } from '../elements/problem-alert';
import { BodyFields } from './body-fields';
import type { DraftProblems, EndpointDraft } from './endpoint-draft';

interface OptionFieldsProps {
  readonly draft: EndpointDraft;
  readonly problems: DraftProblems;
  /** What the server said of the last try. */
  readonly error: unknown;
  /** The kind of the stored credential. Its value is never shown. */
  readonly stored: Endpoint['options']['authentication'];
  readonly onChange: (part: Partial<EndpointDraft>) => void;
}

/** The options of an endpoint, which are all off by default. */
export function OptionFields({ draft, problems, error, stored, onChange }: OptionFieldsProps) {
  const refused = (option: string): string | undefined => problemOf(error, `options.${option}`);
  return (
    <Stack>
      <TextInput
        label="Retry schedule"
        description="Seconds to wait before each attempt, separated by commas. The first is normally 0. If empty: the schedule of this installation."
        placeholder="0, 10, 60, 600"
        value={draft.retrySchedule}
        onChange={({ currentTarget }) => onChange({ retrySchedule: currentTarget.value })}
        error={problems.retrySchedule ?? refused('retry_schedule')}
      />
      <TextInput
        label="Spread of retries"
        description="Up to which percentage each delay is longer, 0 to 50, so that retries don't come all at once. If empty: as this installation does."
        inputMode="decimal"
        value={draft.retryJitter}
        onChange={({ currentTarget }) => onChange({ retryJitter: currentTarget.value })}
        error={problems.retryJitter ?? refused('retry_jitter')}
      />
      <TextInput
        label="Maximum attempts per second"
        description="Attempts above the limit wait; none is lost. If empty: no limit."
        inputMode="decimal"
        value={draft.maxPerSecond}
        onChange={({ currentTarget }) => onChange({ maxPerSecond: currentTarget.value })}
        error={problems.maxPerSecond ?? refused('max_per_second')}
      />
      {ENDPOINT_FLAG_NAMES.map((name) => (
        <Switch
          key={name}
          label={ENDPOINT_FLAGS[name].label}
          description={ENDPOINT_FLAGS[name].help}
          checked={draft[name]}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
        />
      ))}
      <Textarea
        label="Extra headers"
        description="One per line, as Name: value. Stored encrypted. A value that stays [hidden] does not change."
        placeholder="X-Tenant: blue"
        value={draft.headers}
        onChange={({ currentTarget }) => onChange({ headers: currentTarget.value })}
        autosize
        minRows={2}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={problems.headers ?? refused('headers')}
      />
      <AuthenticationFields draft={draft} stored={stored} refused={refused('authentication')} onChange={onChange} />
      <Textarea
        label="Filter on data"
        description="Delivers only events whose data match this condition, written as a MongoDB query. If empty: all events."
        placeholder={'{"total": {"$gte": 100}}'}
        value={draft.filter}
        onChange={({ currentTarget }) => onChange({ filter: currentTarget.value })}
        autosize
        minRows={2}
        error={problems.filter ?? refused('filter')}
      />
      <BodyFields draft={draft} refused={refused} onChange={onChange} />
    </Stack>
  );
}

interface AuthenticationFieldsProps extends Pick<OptionFieldsProps, 'draft' | 'stored' | 'onChange'> {
  readonly refused: string | undefined;
}

function AuthenticationFields({ draft, stored, refused, onChange }: AuthenticationFieldsProps) {
  const { authentication } = draft;
  const choices = [
    ...(stored ? [{ value: 'keep', label: `Keep the stored ${stored.type} credential` }] : []),
    { value: 'none', label: 'None' },
    { value: 'basic', label: 'Basic: user name and password' },
    { value: 'bearer', label: 'Bearer token' },
  ];
  return (
    <>
      <Select
        label="Authentication"
        description="Sent in the Authorization header."
        data={choices}
        value={authentication}
        onChange={(value) => onChange({ authentication: (value ?? 'none') as EndpointDraft['authentication'] })}
        allowDeselect={false}
        error={refused}
      />
      {authentication === 'basic' && (
        <TextInput
          label="User name"
          value={draft.username}
          onChange={({ currentTarget }) => onChange({ username: currentTarget.value })}
          autoComplete="off"
        />
      )}
      {(authentication === 'basic' || authentication === 'bearer') && (
        <PasswordInput
          label={authentication === 'basic' ? 'Password' : 'Token'}
          description="Stored encrypted, and never shown again."
          value={draft.credential}
          onChange={({ currentTarget }) => onChange({ credential: currentTarget.value })}
          autoComplete="off"
        />
      )}
    </>
  );
}
