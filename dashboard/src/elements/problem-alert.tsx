import { Alert, List } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { ApiProblem } from '../api/call-api';

interface ProblemAlertProps {
  readonly error: unknown;
  /** What did not work: `The key was not created`. */
  readonly title: string;
  /** Paths of the fields that show their own problems, by `problemOf`: those are not told twice. */
  readonly fields?: readonly string[];
}

/** Says what went wrong, in the server's words; nothing when nothing did. */
export function ProblemAlert({ error, title, fields = [] }: ProblemAlertProps) {
  if (error === null || error === undefined) return null;
  const details = error instanceof ApiProblem ? error.details : [];
  const areAtFields = details.length > 0 && details.every(({ path }) => fields.some((field) => isWithin(path, field)));
  return (
    <Alert
      key={problemMessage(error)}
      ref={showInForm}
      color="red"
      title={title}
      icon={<CircleAlert size={18} aria-hidden />}
      role="alert"
    >
      {/* Without children at all, the alert has no room for a text below its title. */}
      {areAtFields ? null : <ProblemText error={error} details={details} />}
    </Alert>
  );
}

interface ProblemTextProps {
  readonly error: unknown;
  readonly details: ApiProblem['details'];
}

function ProblemText({ error, details }: ProblemTextProps) {
  return (
    <>
      {problemMessage(error)}
      {/* The message of a single problem says it all. */}
      {details.length > 1 && (
        <List size="sm" mt="xs">
          {details.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <strong>{path}</strong> {message}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

/** The title of a dialog stays above what scrolls below it. */
const BELOW_TITLE = '80px';

/** A form may be longer than the window, with its button at the end. */
export function showInForm(alert: HTMLElement | null): void {
  if (!alert?.closest('form, [role="dialog"]')) return;
  alert.style.scrollMarginTop = BELOW_TITLE;
  alert.scrollIntoView({ block: 'nearest' });
}

/** A sentence about an error. */
function problemMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'Unknown error.';
}

/** The message for one field of a form, where the server complained about it. */
export function problemOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const detail = error.details.find((it) => isWithin(it.path, path));
  if (!detail) return undefined;
  const { message } = detail;
  // A message is a sentence, or what follows the name of the field: `must be an object`.
  if (/^\p{Lu}/u.test(message)) return message;
  return `${detail.path === path ? 'This' : detail.path.slice(path.length).replace(/^\./, '')} ${message}`;
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
