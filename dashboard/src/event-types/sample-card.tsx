import { Card, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyShape } from '../../../src/domain/body-form';
import { CodeBlock } from '../elements/code-block';
import { ProblemAlert } from '../elements/problem-alert';
import { BODY_CHOICES } from '../endpoints/body-shapes';
import { SAMPLE_SECRET, sampleRequest } from './sample-request';

const CHOICES = Object.entries(BODY_CHOICES)
  .filter(([value]) => value !== 'default')
  .map(([value, label]) => ({ value, label }));

/** A delivery of this type as a receiver gets it, with a signature that can be checked. */
export function SampleCard({ type, data }: { readonly type: string; readonly data: unknown }) {
  const [shape, setShape] = useState<BodyShape>('envelope');
  const { data: sample, error } = useQuery({
    queryKey: ['sample-request', type, shape, data],
    queryFn: () => sampleRequest(type, data, shape),
    staleTime: 'static',
  });
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="sample-request">
      <Stack gap="sm">
        <Title order={2} id="sample-request">
          Sample request
        </Title>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          It is signed with the sample secret <code>{SAMPLE_SECRET}</code>. Each endpoint has a secret of its own.
        </Text>
        <Select
          label="Body"
          data={CHOICES}
          value={shape}
          onChange={(value) => setShape((value ?? 'envelope') as BodyShape)}
          allowDeselect={false}
          maw={460}
        />
        <ProblemAlert error={error} title="The sample could not be signed" />
        {sample && (
          <>
            <CodeBlock
              title="Headers"
              label="the headers"
              wraps
              code={Object.entries(sample.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
            />
            <CodeBlock title="Body" label="the body" wraps code={sample.body} />
          </>
        )}
      </Stack>
    </Card>
  );
}
