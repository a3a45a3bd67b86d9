import type { ApiError, ErrorDetail, KnownErrorCode } from './schema.ts';

/** The API's error for a refused call. */
export class EverpostError extends Error {
  readonly status: number;
  /** Stable; a release may add some. `unknown` if the answer has none. */
  readonly code: KnownErrorCode | 'unknown' | (string & {});
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];

  static {
    // On the prototype, because the stack is written before the error's fields exist.
    this.prototype.name = 'EverpostError';
  }

  constructor(status: number, body: Partial<ApiError> | undefined) {
    super(body?.error ?? `The API answered ${status}.`);
    this.status = status;
    this.code = body?.code ?? 'unknown';
    this.requestId = body?.request_id;
    this.details = body?.details ?? [];
  }
}

/** The data of an operation's answer. @throws EverpostError when it was refused */
export function dataOf<Data>({ data, error, response }: Answered<Data>): Data {
  if (data === undefined) throw new EverpostError(response.status, error);
  return data;
}

interface Answered<Data> {
  readonly data?: Data | undefined;
  readonly error?: Partial<ApiError>;
  readonly response: Response;
}
