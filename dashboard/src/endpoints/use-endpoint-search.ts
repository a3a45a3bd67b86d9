import { useNavigate, useSearch } from '@tanstack/react-router';
import { ATTEMPT_ERROR_CODES, type AttemptErrorCode } from '../../../src/domain/delivery-state';
import type { FailureKind } from '../../../src/domain/failure-causes';
import { surface } from '../api/surface';
import { windowOf } from '../charts/history';

const FROM = '/dashboard/endpoints/$endpointId';
/** The parts of the page. */
const ENDPOINT_TABS = [
  { value: 'state', label: 'State' },
  { value: 'deliveries', label: 'Deliveries' },
  { value: 'settings', label: 'Settings' },
  { value: 'history', label: 'History' },
] as const;
/** Those that this application shows: customers see no audit log, because it names people of the platform. */
export function endpointTabs() {
  return ENDPOINT_TABS.filter(({ value }) => value !== 'history' || !surface().isPortal);
}

type EndpointTab = (typeof ENDPOINT_TABS)[number]['value'];

/** What the page's address says that it shows, and how to change it: the page is the same after a reload. */
export function useEndpointSearch() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const cause = causeOf(search);
  const kept = search.window === undefined ? {} : { window: search.window };
  return {
    /** The one that the address names; the attempts with a cause are among the deliveries. */
    tab: tabOf(search.tab) ?? (cause ? 'deliveries' : 'state'),
    setTab: (tab: string) => void navigate({ search: { ...kept, tab }, resetScroll: false }),
    window: windowOf(search.window),
    /** The attempts that are shown failed with it; undefined for all attempts. */
    cause,
    setWindow: (window: string) => void navigate({ search: { ...search, window }, replace: true, resetScroll: false }),
    showCause(wanted: FailureKind | undefined): void {
      const shown = wanted && {
        error_code: wanted.code,
        ...(wanted.statusCode !== null && { status_code: String(wanted.statusCode) }),
      };
      void navigate({ search: { ...kept, tab: 'deliveries', ...shown }, replace: true, resetScroll: false });
    },
  };
}

function tabOf(text: string | undefined): EndpointTab | undefined {
  return endpointTabs().find(({ value }) => value === text)?.value;
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
