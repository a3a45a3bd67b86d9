import { Badge, Group, Stack, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isEventPattern, isOperationalType, matchesEventType } from '../../../src/domain/event-pattern';
import { eventTypesQuery } from './endpoint-queries';

interface PatternPickerProps {
  readonly patterns: readonly string[];
  readonly onChange: (patterns: string[]) => void;
  readonly error: string | undefined;
}

const MAX_SHOWN = 12;

/** Patterns, and which types of the last 30 days they match: by the very function that matches events. */
export function PatternPicker({ patterns, onChange, error }: PatternPickerProps) {
  const { data } = useQuery(eventTypesQuery);
  const types = (data?.types ?? []).map(({ type }) => type);
  const isMatched = (type: string): boolean => patterns.some((pattern) => matchesEventType(pattern, type));
  const matched = types.filter(isMatched);
  const invalid = patterns.find((pattern) => !isEventPattern(pattern));
  return (
    <Stack gap={6}>
      <TagsInput
        label="Events"
        description="“*” matches every event, “order.*” a prefix, “order.created” one type. Press Enter after each pattern."
        data={suggestionsFor(types)}
        value={[...patterns]}
        onChange={(next) => onChange(withoutOverlap(patterns, next))}
        error={invalid === undefined ? error : `“${invalid}” is not a valid pattern`}
        clearable
        maxTags={50}
      />
      {types.length > 0 && (
        <Stack gap={4} aria-live="polite">
          <Text size="sm" c="dimmed">
            {matchInWords(matched.length, types.length, data?.complete ?? true)}
          </Text>
          <Group gap={6}>
            {matched.slice(0, MAX_SHOWN).map((type) => (
              <Badge key={type} variant="light" tt="none" ff="monospace">
                {type}
              </Badge>
            ))}
            {matched.length > MAX_SHOWN && (
              <Text size="sm" c="dimmed">
                and {matched.length - MAX_SHOWN} more
              </Text>
            )}
          </Group>
        </Stack>
      )}
    </Stack>
  );
}

function matchInWords(matched: number, types: number, isComplete: boolean): string {
  if (matched === 0) {
    return isComplete
      ? 'None of your event types of the last 30 days match.'
      : `None of ${types} event types of the last 30 days match. You have more than these.`;
  }
  return `Matches ${matched} of ${types} event types of the last 30 days${isComplete ? '' : '; you have more'}:`;
}

/**
 * `*` and narrower patterns exclude each other: of both, the newer choice stays. Patterns of operational events go with
 * `*`, which does not match them.
 */
function withoutOverlap(before: readonly string[], next: readonly string[]): string[] {
  const narrow = (pattern: string): boolean => pattern !== '*' && !isOperationalType(pattern);
  if (!next.includes('*') || !next.some(narrow)) return [...next];
  return next.filter((pattern) => (before.includes('*') ? pattern !== '*' : !narrow(pattern)));
}

/** The types, and the prefixes that two or more of them share. */
function suggestionsFor(types: readonly string[]): string[] {
  const prefixes = types.flatMap((type) => (type.includes('.') ? [`${type.slice(0, type.indexOf('.'))}.*`] : []));
  const shared = prefixes.filter((prefix, index) => prefixes.indexOf(prefix) !== index);
  return ['*', ...new Set(shared), ...types];
}
