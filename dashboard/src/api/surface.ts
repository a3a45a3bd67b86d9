import { attendanceHeaders } from './attendance';

/** The application that this page is: an account's dashboard, or a customer's portal. They share pages. */
export interface Surface {
  readonly isPortal: boolean;
  /** Behind the title of every page. */
  readonly name: string;
  /** Where a call goes whose path is the dashboard's. */
  readonly addressOf: (path: string) => string;
  /** What every call carries. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Told of every refusal. */
  readonly onRefused: (status: number, sent: Readonly<Record<string, string>>) => void;
}

let current: Surface = {
  isPortal: false,
  name: 'Everpost',
  addressOf: (path) => path,
  headers: attendanceHeaders,
  onRefused: () => undefined,
};

/** The application that this page is. */
export function surface(): Surface {
  return current;
}

/** Called once, before anything is shown. */
export function setSurface(next: Surface): void {
  current = next;
}
