import { Alert, List } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { ApiProblem } from '../api/call-api';

interface ProblemAlertProps {
  readonly error: unknown;
  /** What did not work: `The key was not created`. */
  readonly title: string;
}

/** Says what went wrong, in the server's words; nothing when nothing did. */
export function ProblemAlert({ error, title }: ProblemAlertProps) {
  if (error === null || error === undefined) return null;
  const details = error instanceof ApiProblem ? error.details : [];
  return (
    <Alert color="red" title={title} icon={<CircleAlert size={18} aria-hidden />} role="alert">
      {problemMessage(error)}
      {details.length > 0 && (
        <List size="sm" mt="xs">
          {details.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <strong>{path}</strong> {message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

/** A sentence about an error. */
function problemMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'The reason is not known.';
}

/** The message for one field of a form, where the server complained about it. */
export function problemOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const detail = error.details.find((it) => it.path === path || it.path.startsWith(`${path}.`));
  return detail && `${detail.path === path ? 'This' : detail.path.slice(path.length + 1)} ${detail.message}`;
}
