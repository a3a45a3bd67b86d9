import { Badge, Group, Stack, TagsInput, Text } from '@mantine/core';
import { isEventPattern, isOperationalType, matchesEventType } from '../../../src/domain/event-pattern';
import { patternChoices } from '../event-types/known-types';
import { MAX_CHOICES, renderTypeChoice, useKnownTypes, type KnownTypes } from '../event-types/use-known-types';

interface PatternPickerProps {
  readonly patterns: readonly string[];
  readonly onChange: (patterns: string[]) => void;
  readonly error: string | undefined;
}

const MAX_SHOWN = 12;

/** Patterns, and which known types they match: by the very function that matches events. */
export function PatternPicker({ patterns, onChange, error }: PatternPickerProps) {
  const known = useKnownTypes();
  const invalid = patterns.find((pattern) => !isEventPattern(pattern));
  const deprecated = known.described.filter((type) => type.deprecated && patterns.includes(type.name));
  return (
    <Stack gap={6}>
      <TagsInput
        label="Events"
        description="“*” matches every event, “order.*” a prefix, “order.created” one type. Press Enter after each pattern."
        data={patternChoices(known.described, known.seen)}
        limit={MAX_CHOICES}
        maxDropdownHeight={300}
        renderOption={renderTypeChoice(known)}
        value={[...patterns]}
        onChange={(next) => onChange(withoutOverlap(patterns, next))}
        error={invalid === undefined ? error : `“${invalid}” is not a valid pattern`}
        clearable
        maxTags={50}
      />
      {deprecated.length > 0 && <Text size="sm">Deprecated: {deprecated.map(({ name }) => name).join(', ')}</Text>}
      <Matches patterns={patterns} known={known} />
    </Stack>
  );
}

function Matches({ patterns, known }: { readonly patterns: readonly string[]; readonly known: KnownTypes }) {
  const types = [...new Set([...known.described.map(({ name }) => name), ...known.seen])];
  const matched = types.filter((type) => patterns.some((pattern) => matchesEventType(pattern, type)));
  if (types.length === 0) return null;
  return (
    <Stack gap={4} aria-live="polite">
      <Text size="sm" c="dimmed">
        {matchInWords(matched.length, types.length, known)}
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
  );
}

function matchInWords(matched: number, types: number, { described, isComplete }: KnownTypes): string {
  const which = described.length > 0 ? 'known event types' : 'event types of the last 30 days';
  if (matched === 0) {
    return isComplete ? `None of your ${which} match.` : `None of ${types} ${which} match. You have more than these.`;
  }
  return `Matches ${matched} of ${types} ${which}${isComplete ? '' : '; you have more'}:`;
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
