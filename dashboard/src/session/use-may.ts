import { useQuery } from '@tanstack/react-query';
import type { Scope } from '../../../src/domain/scopes';
import { viewerQuery } from './session-queries';

/** Whether this session may do something: what it may not do has no button. */
export function useMay(scope: Scope): boolean {
  const { data: viewer } = useQuery({ ...viewerQuery, enabled: false });
  return viewer?.scopes.includes(scope) ?? false;
}
