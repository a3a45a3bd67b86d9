import { useNavigate, useSearch } from '@tanstack/react-router';
import { ATTEMPT_ERROR_CODES, type AttemptErrorCode } from '../../../src/domain/delivery-state';
import type { FailureKind } from '../../../src/domain/failure-causes';
import { windowOf } from '../charts/history';

const FROM = '/dashboard/endpoints/$endpointId';

/** What the page's address says that it shows, and how to change it: the page is the same after a reload. */
export function useEndpointSearch() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  return {
    window: windowOf(search.window),
    /** The attempts that are shown failed with it; undefined for all attempts. */
    cause: causeOf(search),
    setWindow: (window: string) => void navigate({ search: { ...search, window }, replace: true, resetScroll: false }),
    showCause(cause: FailureKind | undefined): void {
      const { error_code: _code, status_code: _status, ...rest } = search;
      const shown = cause && {
        error_code: cause.code,
        ...(cause.statusCode !== null && { status_code: String(cause.statusCode) }),
      };
      void navigate({ search: { ...rest, ...shown }, replace: true, resetScroll: false });
    },
  };
}

function causeOf({
  error_code: text,
  status_code: status,
}: {
  readonly error_code?: string;
  readonly status_code?: string;
}): FailureKind | undefined {
  const code: AttemptErrorCode | undefined = ATTEMPT_ERROR_CODES.find((it) => it === text);
  return code && { code, statusCode: status !== undefined && /^[1-5]\d\d$/.test(status) ? Number(status) : null };
}
