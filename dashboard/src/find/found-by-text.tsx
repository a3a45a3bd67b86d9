import { Card, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { groupsOf } from '../search/results';
import { ResultText } from '../search/result-text';
import { NothingFound } from '../search/search-help';
import { searchQuery } from '../search/search-queries';
import classes from './found-by-text.module.css';

/** Everything that a text finds: events, endpoints and event types, a few of each, and the lists of all of them. */
export function FoundByText({ text }: { readonly text: string }) {
  const { data: found, error, isPending } = useQuery(searchQuery(text));
  const groups = found ? groupsOf(found, text) : [];
  return (
    <Card withBorder padding="lg" mb="md" component="section" aria-label={`Found for ${text}`}>
      <Stack gap="md">
        <ProblemAlert error={error} title="The search failed" />
        {isPending && <Loader aria-label="Loading" />}
        {groups.map(({ label, results }) => (
          <div key={label}>
            <Title order={2} size="h4" mb={4}>
              {label}
            </Title>
            <ul className={classes['list']}>
              {results.map((result) => (
                <li key={result.id}>
                  <PageLink {...result.target} className={classes['result']} underline="never" c="inherit">
                    <ResultText result={result} />
                  </PageLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {found && groups.length === 0 && (
          <Text component="div" size="sm" role="status">
            <NothingFound found={found} text={text} onLeave={() => undefined} />
          </Text>
        )}
      </Stack>
    </Card>
  );
}
